# layer conv
LOAD     0000 0000 bank_id 32 bank_addr 0 pad_start 0 pad_end 0 pad_idx 1 jump_read 20 jump_write 2 length 1 mode_avg 0 channel 20 reg_id 0 ddr_addr 0 ddr_mode 0 output_channel_num 1 jump_read_endl 1 reg_id_1 0 ddr_addr_1 0
CONVINIT 0000 0000 act_type 1 shift_cut 7 jump_read 1 stride_out 1 shift_bias 4 jump_read_endl 14 stride_h 1 kernel_h 3 valid_pixel_parallel 8 stride_offset_in 0 jump_write 2 stride_w 1 kernel_w 3 stride_offset_out 0 jump_write_endl 28
CONV     0001 0000 bank_id_in 7 bank_addr_in 8177 pad_top 1 channel_group 1 bank_id_out 8 bank_addr_out 0 pad_bottom 15 channel_offset 11 length 14 bank_addr_in_1 8191 pad_left 1 bank_addr_weights 0 bank_addr_in_2 13 pad_right 1 bank_addr_bias 0 bank_addr_in_3 27
SAVE     0100 0000 bank_id 8 bank_addr 0 jump_write 20 jump_read 2 length 14 channel 20 reg_id 1 ddr_addr 0
# layer pool
POOLINIT 0000 0000 shift_cut 0 kernel_w 2 kernel_h 2 jump_read 2 jump_write 2 stride_out 1 stride_offset_out 0 valid_pixel_parallel 1 stride_offset_in 0 stride_w 2 stride_h 2 pool_type 0
POOL     0001 0000 bank_id_in 0 bank_addr_in 0 jump_read_endl 28 bank_id_out 8 pad_top 0 pad_bottom 1 pad_left 0 pad_right 1 jump_write_endl 14 channel_group 2 length 7 bank_addr_in_1 56 bank_addr_in_2 112 bank_addr_in_3 168 bank_addr_out 0
# layer depthwise
DWINIT   0000 0000 stride_out 1 act_type 0 jump_read_endl 14 kernel_w 3 kernel_h 3 stride_w 1 stride_h 1 valid_pixel_parallel 2 jump_write_endl 14 stride_offset_in 0 stride_offset_out 0 shift_bias 3 shift_cut 6 jump_read 2 jump_write 2
DPTWISE  0001 0000 bank_id_in 7 bank_addr_in 8176 pad_top 1 channel_group 2 bank_id_out 8 bank_addr_out 0 pad_bottom 2 channel_offset 12 length 7 bank_addr_in_1 8190 pad_left 1 bank_addr_weights 100 bank_addr_in_2 12 pad_right 1 bank_addr_bias 3 bank_addr_in_3 26
# layer add
ELEWINIT 0001 0000 bank_id_in 0 shift_read 0 jump_read 2 id 0 jump_read_endl 14 bank_addr_in 0
ELEW     0000 0000 bank_id_out 8 shift_write 0 jump_write 2 channel_group 2 length 7 act_type 1 bank_addr_out 0 num 2 valid_pixel_parallel 1 jump_write_endl 14
# layer average
END      0010 0000

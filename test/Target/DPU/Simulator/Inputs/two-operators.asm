LOAD     0001 0001 bank_id 0 bank_addr 1 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 0
LOAD     0001 1001 bank_id 1 bank_addr 1 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 1
LOAD     0001 0001 bank_id 2 bank_addr 1 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 2
LOAD     0001 1001 bank_id 3 bank_addr 1 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 3
ALUINIT  1000 1000 exec_mode 4 kernel_h 1 kernel_w 1 stride_h 1 stride_w 1 stride_offset_in 0 stride_offset_out 0 stride_out 1 channel_group 1 channel_offset 9 length 1 shift_prelu_p 32 act_type 0 shift_bias 0 shift_cut 0 shift_prelu_n 40 multi_factor 26 jump_read 1 jump_read_endl 1 jump_read_weights 0 jump_write 1 jump_write_endl 1
ALU      1001 1000 bank_id_out 0 bank_addr_out 0 pad_bottom 0 valid_pixel_parallel 2 bank_id_in 0 bank_addr_in 1 pad_top 0 pad_left 0 pad_right 0 bank_addr_in_1 2 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 3 bank_addr_bias 0 bank_addr_in_3 4
ALU      1001 1000 bank_id_out 2 bank_addr_out 0 pad_bottom 0 valid_pixel_parallel 2 bank_id_in 2 bank_addr_in 1 pad_top 0 pad_left 0 pad_right 0 bank_addr_in_1 2 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 3 bank_addr_bias 0 bank_addr_in_3 4
LOAD     0001 0001 bank_id 0 bank_addr 2 jump_read 2 jump_write 1 pad_idx 1 channel 2 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 16
LOAD     0001 1001 bank_id 1 bank_addr 2 jump_read 2 jump_write 1 pad_idx 1 channel 2 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 18
ALUINIT  1000 1000 exec_mode 3 kernel_h 2 kernel_w 1 stride_h 1 stride_w 1 stride_offset_in 0 stride_offset_out 0 stride_out 1 channel_group 1 channel_offset 8 length 1 shift_prelu_p 0 act_type 0 shift_bias 0 shift_cut 8 shift_prelu_n 0 multi_factor 0 jump_read 1 jump_read_endl 1 jump_read_weights 0 jump_write 1 jump_write_endl 1
ALU      1001 1000 bank_id_out 0 bank_addr_out 1 pad_bottom 1 valid_pixel_parallel 1 bank_id_in 0 bank_addr_in 2 pad_top 0 pad_left 0 pad_right 0 bank_addr_in_1 3 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 4 bank_addr_bias 0 bank_addr_in_3 5
ELEWINIT 1000 1000 bank_id_in 0 share_pp 0 jump_bank 1 id 0 jump_read_endl 1 bank_addr_in 1 shift_read 0 jump_read 1
ELEW     1000 1010 bank_id_out 4 elew_type 0 act_type 1 length 1 valid_pixel_parallel 1 num 1 jump_write_endl 1 bank_addr_out 0 channel_group 1 shift_write 16 jump_write 1
SAVE     1010 1010 bank_id 4 bank_addr 0 hp_id 0 argmax 0 jump_write 2 jump_read 1 channel 2 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 0
ALUINIT  1000 1000 exec_mode 4 kernel_h 1 kernel_w 1 stride_h 1 stride_w 1 stride_offset_in 0 stride_offset_out 0 stride_out 1 channel_group 1 channel_offset 9 length 1 shift_prelu_p 32 act_type 0 shift_bias 0 shift_cut 0 shift_prelu_n 40 multi_factor 26 jump_read 1 jump_read_endl 1 jump_read_weights 0 jump_write 1 jump_write_endl 1
ALU      1010 1010 bank_id_out 4 bank_addr_out 0 pad_bottom 0 valid_pixel_parallel 2 bank_id_in 0 bank_addr_in 0 pad_top 0 pad_left 0 pad_right 0 bank_addr_in_1 0 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 0 bank_addr_bias 0 bank_addr_in_3 0
ALU      1000 1010 bank_id_out 6 bank_addr_out 0 pad_bottom 0 valid_pixel_parallel 2 bank_id_in 2 bank_addr_in 0 pad_top 0 pad_left 0 pad_right 0 bank_addr_in_1 0 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 0 bank_addr_bias 0 bank_addr_in_3 0
SAVE     1010 0000 bank_id 4 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 16
SAVE     0000 0010 bank_id 5 bank_addr 0 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 17
SAVE     1010 0000 bank_id 6 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 18
SAVE     0000 0010 bank_id 7 bank_addr 0 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 19
END      0010 0010

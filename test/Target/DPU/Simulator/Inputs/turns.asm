LOAD     0001 0001 bank_id 22 bank_addr 0 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 12 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 0
LOAD     0001 0001 bank_id 0 bank_addr 2 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 64
LOAD     0001 1001 bank_id 1 bank_addr 2 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 66
LOAD     0001 1001 bank_id 2 bank_addr 2 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 68
ALUINIT  1000 1000 exec_mode 6 kernel_h 4 kernel_w 3 stride_h 1 stride_w 1 stride_offset_in 0 stride_offset_out 0 stride_out 1 channel_group 1 channel_offset 15 length 4 shift_prelu_p 0 act_type 0 shift_bias 0 shift_cut 0 shift_prelu_n 0 multi_factor 0 jump_read 1 jump_read_endl 1 jump_read_weights 1 jump_write 1 jump_write_endl 1
ALU      1001 1010 bank_id_out 3 bank_addr_out 0 pad_bottom 3 valid_pixel_parallel 2 bank_id_in 0 bank_addr_in 2046 pad_top 3 pad_left 2 pad_right 0 bank_addr_in_1 0 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 2 bank_addr_bias 0 bank_addr_in_3 4
ALU      1001 1010 bank_id_out 5 bank_addr_out 0 pad_bottom 3 valid_pixel_parallel 1 bank_id_in 2 bank_addr_in 2046 pad_top 1 pad_left 2 pad_right 0 bank_addr_in_1 0 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 2 bank_addr_bias 0 bank_addr_in_3 4
SAVE     1010 0000 bank_id 3 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 0
SAVE     0000 0010 bank_id 4 bank_addr 0 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 4
SAVE     1010 0010 bank_id 5 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 8
ALU      1000 1010 bank_id_out 3 bank_addr_out 4 pad_bottom 1 valid_pixel_parallel 2 bank_id_in 0 bank_addr_in 0 pad_top 0 pad_left 2 pad_right 0 bank_addr_in_1 2 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 4 bank_addr_bias 0 bank_addr_in_3 6
ALU      1000 1010 bank_id_out 5 bank_addr_out 4 pad_bottom 0 valid_pixel_parallel 1 bank_id_in 2 bank_addr_in 0 pad_top 0 pad_left 2 pad_right 0 bank_addr_in_1 2 kernel_d 1 bank_addr_weights 0 bank_addr_in_2 4 bank_addr_bias 0 bank_addr_in_3 6
SAVE     1010 0000 bank_id 3 bank_addr 4 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 12
SAVE     0000 0010 bank_id 4 bank_addr 4 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 16
SAVE     1010 0011 bank_id 5 bank_addr 4 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 20
LOAD     0001 0001 bank_id 22 bank_addr 12 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 12 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 0
LOAD     0001 0001 bank_id 23 bank_addr 0 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 16
LOAD     0001 0001 bank_id 6 bank_addr 0 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 6 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 32
LOAD     0011 0001 bank_id 0 bank_addr 6 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 0
LOAD     0001 0001 bank_id 1 bank_addr 6 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 4
LOAD     0001 0101 bank_id 2 bank_addr 6 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 8
CONVINIT 0100 0100 act_type 0 shift_cut 0 jump_read 1 stride_out 1 shift_bias 1 jump_read_endl 1 stride_h 1 kernel_h 1 valid_pixel_parallel 3 stride_offset_in 0 jump_write 1 stride_w 1 kernel_w 6 stride_offset_out 0 jump_write_endl 1
CONV     0101 0110 pad_left 1 pad_top 0 bank_addr_in 5 channel_group 1 pad_right 4 pad_bottom 3 bank_addr_out 8 length 1 bank_id_in 0 bank_addr_weights 0 bank_addr_in_1 9 bank_id_out 3 bank_addr_bias 0 channel_offset 15 bank_addr_in_3 9 bank_addr_in_2 5
SAVE     0110 0000 bank_id 3 bank_addr 8 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 0
SAVE     0000 0010 bank_id 4 bank_addr 8 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 1
SAVE     0010 0010 bank_id 5 bank_addr 8 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 2
LOAD     0001 0001 bank_id 0 bank_addr 2 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 70
LOAD     0001 1001 bank_id 1 bank_addr 2 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 72
LOAD     0001 1001 bank_id 2 bank_addr 2 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 74
ALU      1001 1010 bank_id_out 3 bank_addr_out 0 pad_bottom 3 valid_pixel_parallel 2 bank_id_in 0 bank_addr_in 2046 pad_top 3 pad_left 2 pad_right 0 bank_addr_in_1 0 kernel_d 1 bank_addr_weights 12 bank_addr_in_2 2 bank_addr_bias 0 bank_addr_in_3 2046
ALU      1001 1010 bank_id_out 5 bank_addr_out 0 pad_bottom 3 valid_pixel_parallel 1 bank_id_in 2 bank_addr_in 2046 pad_top 1 pad_left 2 pad_right 0 bank_addr_in_1 0 kernel_d 1 bank_addr_weights 12 bank_addr_in_2 2 bank_addr_bias 0 bank_addr_in_3 2046
SAVE     1010 0000 bank_id 3 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 24
SAVE     0000 0010 bank_id 4 bank_addr 0 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 28
SAVE     1010 0011 bank_id 5 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 32
LOAD     0011 0001 bank_id 0 bank_addr 10 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 12
LOAD     0001 0001 bank_id 1 bank_addr 10 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 16
LOAD     0001 0101 bank_id 2 bank_addr 10 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 20
CONV     0101 0110 pad_left 1 pad_top 0 bank_addr_in 9 channel_group 1 pad_right 4 pad_bottom 0 bank_addr_out 9 length 1 bank_id_in 0 bank_addr_weights 0 bank_addr_in_1 5 bank_id_out 3 bank_addr_bias 0 channel_offset 15 bank_addr_in_3 5 bank_addr_in_2 9
SAVE     0110 0000 bank_id 3 bank_addr 9 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 3
SAVE     0000 0010 bank_id 4 bank_addr 9 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 4
SAVE     0010 0010 bank_id 5 bank_addr 9 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 5
ALU      1000 1010 bank_id_out 3 bank_addr_out 4 pad_bottom 1 valid_pixel_parallel 2 bank_id_in 0 bank_addr_in 0 pad_top 0 pad_left 2 pad_right 0 bank_addr_in_1 2 kernel_d 1 bank_addr_weights 12 bank_addr_in_2 2046 bank_addr_bias 0 bank_addr_in_3 0
ALU      1000 1010 bank_id_out 5 bank_addr_out 4 pad_bottom 0 valid_pixel_parallel 1 bank_id_in 2 bank_addr_in 0 pad_top 0 pad_left 2 pad_right 0 bank_addr_in_1 2 kernel_d 1 bank_addr_weights 12 bank_addr_in_2 2046 bank_addr_bias 0 bank_addr_in_3 0
SAVE     1010 0000 bank_id 3 bank_addr 4 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 36
SAVE     0000 0010 bank_id 4 bank_addr 4 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 40
SAVE     1010 0011 bank_id 5 bank_addr 4 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 4 const_en 0 const_value 0 reg_id 1 ddr_addr 44
LOAD     0001 0001 bank_id 23 bank_addr 1 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 16
LOAD     0001 0001 bank_id 6 bank_addr 6 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 6 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 32
LOAD     0011 0001 bank_id 0 bank_addr 0 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 24
LOAD     0001 0001 bank_id 1 bank_addr 0 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 28
LOAD     0001 0101 bank_id 2 bank_addr 0 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 32
CONV     0101 0110 pad_left 1 pad_top 0 bank_addr_in 2047 channel_group 1 pad_right 4 pad_bottom 3 bank_addr_out 0 length 1 bank_id_in 0 bank_addr_weights 6 bank_addr_in_1 3 bank_id_out 3 bank_addr_bias 1 channel_offset 15 bank_addr_in_3 11 bank_addr_in_2 7
SAVE     0110 0000 bank_id 3 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 6
SAVE     0000 0010 bank_id 4 bank_addr 0 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 7
SAVE     0010 0010 bank_id 5 bank_addr 0 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 8
LOAD     0001 0001 bank_id 0 bank_addr 4 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 36
LOAD     0001 0001 bank_id 1 bank_addr 4 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 40
LOAD     0001 0101 bank_id 2 bank_addr 4 jump_read 1 jump_write 1 pad_idx 1 channel 1 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 44
CONV     0101 0110 pad_left 1 pad_top 0 bank_addr_in 3 channel_group 1 pad_right 4 pad_bottom 0 bank_addr_out 1 length 1 bank_id_in 0 bank_addr_weights 6 bank_addr_in_1 7 bank_id_out 3 bank_addr_bias 1 channel_offset 15 bank_addr_in_3 15 bank_addr_in_2 11
SAVE     0110 0000 bank_id 3 bank_addr 1 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 9
SAVE     0000 0010 bank_id 4 bank_addr 1 hp_id 1 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 10
SAVE     0010 0010 bank_id 5 bank_addr 1 hp_id 0 argmax 0 jump_write 1 jump_read 1 channel 1 length 1 const_en 0 const_value 0 reg_id 3 ddr_addr 11
END      0010 0010

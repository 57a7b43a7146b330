# The beginning of the worked example of the instruction set: a 3x3 convolution
# of 248x216x32 with ReLU. The words are those of the specification.
#

# Bias.
LOAD 0011 0001 bank_id 33 bank_addr 2 jump_read 32 jump_write 1 pad_idx 1 channel 32 length 1 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 27680
# The first row of the image.
LOAD 0001 0001 bank_id 0 bank_addr 0 jump_read 32 jump_write 2 pad_idx 1 channel 32 length 216 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 1 ddr_addr 10285056
# Weights of output channel 0.
LOAD 0001 0001 bank_id 16 bank_addr 72 jump_read 32 jump_write 2 pad_idx 1 channel 32 length 9 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 0 ddr_addr 18464
CONV 0101 0100 pad_left 1 pad_top 1 bank_addr_in 1614 channel_group 2 pad_right 1 pad_bottom 15 bank_addr_out 0 length 216 bank_id_in 7 bank_addr_weights 72 bank_addr_in_1 2046 bank_id_out 8 bank_addr_bias 2 channel_offset 0 bank_addr_in_3 0 bank_addr_in_2 430
CONVINIT 0100 0100 act_type 1 shift_cut 8 jump_read 2 stride_out 1 shift_bias 6 jump_read_endl 432 stride_h 1 kernel_h 3 valid_pixel_parallel 8 stride_offset_in 0 jump_write 2 stride_w 1 kernel_w 3 stride_offset_out 0 jump_write_endl 1
END 0010 0010

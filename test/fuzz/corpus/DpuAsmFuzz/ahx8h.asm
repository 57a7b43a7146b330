# The second instruction set: the same tools, another table.
#


# Weights of 16 output channels of a 3x3 convolution at once.
LOAD 0000 0000 ddr_mode 0 bank_id 63 bank_addr 72 pad_start 0 pad_end 0 pad_idx 1 jump_read 32 jump_write 2 length 9 mode_avg 0 channel 32 reg_id 2 ddr_addr 18464 output_channel_num 16 jump_read_endl 288 reg_id_1 3 ddr_addr_1 18464
POOL 0000 0000 bank_id_in 0 bank_addr_in 0 jump_read_endl 1 bank_id_out 0 pad_top 0 pad_bottom 0 pad_left 0 pad_right 0 jump_write_endl 1 channel_group 1 length 1 bank_addr_in_1 0 bank_addr_in_2 0 bank_addr_in_3 0 bank_addr_out 0
END 0000 0010

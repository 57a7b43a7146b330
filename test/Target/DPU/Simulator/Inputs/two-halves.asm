# Four pixels in bank 4, of which ELEW computes the first two and LOAD brings the
# others; ELEW then reads all of them.
LOAD     0001 0001 bank_id 0 bank_addr 0 jump_read 16 jump_write 1 pad_idx 1 channel 16 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 0
LOAD     0001 1001 bank_id 4 bank_addr 2 jump_read 16 jump_write 1 pad_idx 1 channel 16 length 2 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 64
ELEWINIT 1001 1000 bank_id_in 0 share_pp 0 jump_bank 1 id 0 jump_read_endl 4 bank_addr_in 0 shift_read 0 jump_read 1
ELEW     1000 1000 bank_id_out 4 elew_type 0 act_type 0 length 2 valid_pixel_parallel 1 num 1 jump_write_endl 4 bank_addr_out 0 channel_group 1 shift_write 0 jump_write 1
ELEWINIT 1000 1000 bank_id_in 4 share_pp 0 jump_bank 1 id 0 jump_read_endl 4 bank_addr_in 0 shift_read 0 jump_read 1
ELEW     1000 1010 bank_id_out 6 elew_type 0 act_type 0 length 4 valid_pixel_parallel 1 num 1 jump_write_endl 4 bank_addr_out 0 channel_group 1 shift_write 0 jump_write 1
SAVE     1010 0010 bank_id 6 bank_addr 0 hp_id 0 argmax 0 jump_write 16 jump_read 1 channel 16 length 4 const_en 0 const_value 0 reg_id 3 ddr_addr 0
END      0010 0010

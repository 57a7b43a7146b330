# Two pixels of the first layer, of which the last seven bytes are padding.
LOAD 0001 0011 bank_id 0 bank_addr 0 jump_read 6 jump_write 1 pad_idx 1 channel 9 length 2 pad_start 0 pad_end 10 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 0
SAVE 0011 0010 bank_id 0 bank_addr 0 hp_id 0 argmax 0 jump_write 16 jump_read 1 channel 16 length 2 const_en 0 const_value 0 reg_id 3 ddr_addr 0
END 0010 0010

LOAD 0001 0001 bank_id 0 bank_addr 0 jump_read 16 jump_write 1 pad_idx 1 channel 16 length 1024 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 0
END 0010 0010

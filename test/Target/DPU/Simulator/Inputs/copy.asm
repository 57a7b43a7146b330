# Four pixels of 16 channels, from register 2 to register 3 through bank 0, each
# half saved by its own port.
LOAD 0001 0011 bank_id 0 bank_addr 0 jump_read 16 jump_write 1 pad_idx 1 channel 16 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 0
SAVE 0011 0000 bank_id 0 bank_addr 0 hp_id 0 argmax 0 jump_write 16 jump_read 1 channel 16 length 2 const_en 0 const_value 0 reg_id 3 ddr_addr 0
SAVE 0000 0011 bank_id 0 bank_addr 2 hp_id 1 argmax 0 jump_write 16 jump_read 1 channel 16 length 2 const_en 0 const_value 0 reg_id 3 ddr_addr 32
LOAD 0011 0001 bank_id 0 bank_addr 0 jump_read 16 jump_write 1 pad_idx 1 channel 16 length 4 pad_start 0 pad_end 0 mode_avg 0 broadcast 0 const_value 0 reg_id 2 ddr_addr 64
END  0010 0010

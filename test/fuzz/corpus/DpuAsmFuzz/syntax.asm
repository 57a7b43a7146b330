# What the assembler accepts, and the form that the disassembler writes.
#

# Fields in any order, hexadecimal values, signs, tabs, comments.
	ELEWINIT	1000 0010  jump_read 0 shift_read +3 bank_addr_in 0x3fFF id 1 jump_read_endl 0x2000 jump_bank 8 share_pp 1 bank_id_in 007#comment

END 0000 1111    # the token of every queue
# A raw word that is an instruction comes back as one.
.word 0x72200000

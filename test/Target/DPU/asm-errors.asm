# Every error of the assembler: place, message, and the line below it.
#
# RUN: not xc-translate --dpu-asm-to-bin "--split-input-file=# -----" %s 2>&1 \
# RUN:   | FileCheck %s --strict-whitespace --implicit-check-not=error:

# CHECK: asm-errors.asm:[[#@LINE+3]]:1: error: 'CNOV' is not an instruction of 'DPUCZDX8G', did you mean 'CONV'?
# CHECK-NEXT:CNOV 0000 0000
# CHECK-NEXT:{{^}}^{{$}}
CNOV 0000 0000
# -----
# CHECK: :[[#@LINE+1]]:3: error: 'load' is not an instruction of 'DPUCZDX8G', did you mean 'LOAD'?
  load 0000 0000
# -----
# CHECK: :[[#@LINE+1]]:1: error: 'XYZZY' is not an instruction of 'DPUCZDX8G'{{$}}
XYZZY
# -----
# CHECK: :[[#@LINE+1]]:1: error: POOL cannot run on 'DPUCZDX8G'
POOL 0000 0000
# -----
# CHECK: :[[#@LINE+1]]:4: error: expected 4 binary digits for 'dpdon', found the end of the line
END
# -----
# CHECK: :[[#@LINE+1]]:5: error: expected 4 binary digits for 'dpdon', found '010'
END 010 0010
# -----
# CHECK: :[[#@LINE+3]]:10: error: expected 4 binary digits for 'dpdby', found '0012'
# CHECK-NEXT:END 0010 0012 # comment
# CHECK-NEXT:{{^}}         ^{{$}}
END 0010 0012 # comment
# -----
# CHECK: :[[#@LINE+1]]:15: error: END has no field 'bank_id'{{$}}
END 0010 0010 bank_id 3
# -----
# CHECK: :[[#@LINE+1]]:16: error: LOAD has no field 'bank_ids', did you mean 'bank_id'?
LOAD 0001 0001 bank_ids 3
# -----
# CHECK: :[[#@LINE+1]]:23: error: expected an integer for field 'bank_id' of LOAD, found the end of the line
LOAD 0001 0001 bank_id
# -----
# CHECK: :[[#@LINE+1]]:24: error: expected an integer for field 'bank_id' of LOAD, found 'three'
LOAD 0001 0001 bank_id three
# -----
# CHECK: :[[#@LINE+1]]:24: error: expected an integer for field 'bank_id' of LOAD, found '0x'
LOAD 0001 0001 bank_id 0x
# -----
# CHECK: :[[#@LINE+1]]:24: error: expected an integer for field 'bank_id' of LOAD, found '1f'
LOAD 0001 0001 bank_id 1f
# -----
# CHECK: :[[#@LINE+1]]:24: error: field 'bank_id' of LOAD is 64, expected 0 to 63
LOAD 0001 0001 bank_id 64
# -----
# CHECK: :[[#@LINE+1]]:24: error: field 'bank_id' of LOAD is -1, expected 0 to 63
LOAD 0001 0001 bank_id -1
# -----
# CHECK: :[[#@LINE+1]]:25: error: field 'ddr_addr' of LOAD is 0x20000000, expected 0 to 536870911
LOAD 0001 0001 ddr_addr 0x20000000
# -----
# CHECK: :[[#@LINE+1]]:23: error: field 'length' of LOAD is 0, expected 1 to 1024
LOAD 0001 0001 length 0
# -----
# CHECK: :[[#@LINE+1]]:23: error: field 'length' of LOAD is 99999999999999999999999999999999999999999999..., expected 1 to 1024
LOAD 0001 0001 length 99999999999999999999999999999999999999999999999999999999
# -----
# CHECK: :[[#@LINE+4]]:36: error: field 'bank_id' of LOAD is given twice
# CHECK: :[[#@LINE+3]]:16: note: it is given here first
# CHECK-NEXT:LOAD 0001 0001 bank_id 3 length 4  bank_id 3
# CHECK-NEXT:{{^}}               ^{{$}}
LOAD 0001 0001 bank_id 3 length 4  bank_id 3
# -----
# CHECK: :[[#@LINE+1]]:1: error: ELEWINIT lacks field 'shift_read'
ELEWINIT 1000 1000 bank_id_in 0 share_pp 0 jump_bank 1 id 0 jump_read_endl 1 bank_addr_in 0 jump_read 0
# -----
# CHECK: :[[#@LINE+1]]:1: error: ELEWINIT lacks fields 'jump_bank', 'id', 'shift_read', 'jump_read'
ELEWINIT 1000 1000 bank_id_in 0 share_pp 0 jump_read_endl 1 bank_addr_in 0
# -----
# CHECK: :[[#@LINE+1]]:6: error: expected an integer after '.word', found the end of the line
.word
# -----
# CHECK: :[[#@LINE+1]]:7: error: '.word' is 0x100000000, expected 0 to 0xffffffff
.word 0x100000000
# -----
# CHECK: :[[#@LINE+1]]:9: error: expected the end of the line after '.word', found '2'
.word 1 2
# -----
# CHECK: :[[#@LINE+1]]:1: error: '.byte' is not an instruction of 'DPUCZDX8G'{{$}}
.byte 1

# What the assembler accepts, and the form that the disassembler writes.
#
# RUN: xc-translate --dpu-asm-to-bin %s -o %t.bin
# RUN: xc-translate --dpu-bin-to-asm %t.bin | FileCheck %s --strict-whitespace --match-full-lines
# RUN: xc-translate --dpu-bin-to-asm < %t.bin | xc-translate --dpu-asm-to-bin --target=DPUCZDX8G_ISA1_B512 - -o %t.again
# RUN: cmp %t.again %t.bin

# Names of layers are comments in front of their first instruction.
# RUN: split-file %S/Inputs/layers.txt %t
# RUN: xc-translate --dpu-bin-to-asm --layers=%t/layers %t.bin | FileCheck %s --check-prefix=LAYER
# LAYER: # first layer{{$}}
# LAYER-NEXT: ELEWINIT
# LAYER-NEXT: END
# LAYER-NEXT: # the/second(layer){{$}}
# LAYER-NEXT: END
# LAYER-NOT: behind
# RUN: not xc-translate --dpu-bin-to-asm --layers=%t/order %t.bin 2>&1 | FileCheck %s --check-prefix=ORDER
# ORDER: order:2:1: error: instruction 3 is not after that of the line before
# RUN: not xc-translate --dpu-bin-to-asm --layers=%t/form %t.bin 2>&1 | FileCheck %s --check-prefix=FORM
# FORM: form:1:3: error: expected an instruction index, a number of operations and a name
# RUN: not xc-translate --dpu-bin-to-asm --layers=%t/large %t.bin 2>&1 | FileCheck %s --check-prefix=LARGE
# LARGE: large:1:1: error: expected an instruction index

# Fields in any order, hexadecimal values, signs, tabs, comments.
#      CHECK:ELEWINIT 1000 0010 bank_id_in 7 share_pp 1 jump_bank 8 id 1 jump_read_endl 8192 bank_addr_in 16383 shift_read 3 jump_read 0
	ELEWINIT	1000 0010  jump_read 0 shift_read +3 bank_addr_in 0x3fFF id 1 jump_read_endl 0x2000 jump_bank 8 share_pp 1 bank_id_in 007#comment

# CHECK-NEXT:END      0000 1111
END 0000 1111    # the token of every queue
# A raw word that is an instruction comes back as one.
# CHECK-NEXT:END      0010 0010
.word 0x72200000

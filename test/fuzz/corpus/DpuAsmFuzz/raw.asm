.word -1
.word 0xffffffff

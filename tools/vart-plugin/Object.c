//===- Object.c - object files in this process ----------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _DEFAULT_SOURCE

#include "Object.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64 };
#else
#error "no relocations for this machine"
#endif

/// For each symbol: its address, then code that jumps there, for calls of what
/// lies too far away.
enum { SLOT = 24, STUB = 8 };

struct xc_object {
  unsigned char *memory;
  size_t size;
  size_t slots; // where they begin
  // Of the file, while it is loaded:
  const unsigned char *file;
  size_t file_size;
  Elf64_Ehdr header;
  size_t *places; // of sections; SIZE_MAX: not loaded
  // Copies of the file's:
  Elf64_Sym *symbols;
  size_t num_symbols;
  char *names;
  size_t names_size;
};

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static bool lies_within(size_t offset, size_t size, size_t end) {
  return offset <= end && size <= end - offset;
}

static bool read_section(const xc_object *o, size_t index,
                         Elf64_Shdr *section) {
  if (index >= o->header.e_shnum)
    return false;
  memcpy(section, o->file + o->header.e_shoff + index * sizeof(*section),
         sizeof(*section));
  return section->sh_type == SHT_NOBITS ||
         lies_within(section->sh_offset, section->sh_size, o->file_size);
}

static bool read_header(xc_object *o) {
  Elf64_Ehdr *h = &o->header;
  if (o->file_size < sizeof(*h))
    return false;
  memcpy(h, o->file, sizeof(*h));
  return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
         h->e_ident[EI_CLASS] == ELFCLASS64 &&
         h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_type == ET_REL &&
         h->e_machine == MACHINE && h->e_shentsize == sizeof(Elf64_Shdr) &&
         lies_within(h->e_shoff, h->e_shnum * sizeof(Elf64_Shdr), o->file_size);
}

static bool read_symbols(xc_object *o) {
  Elf64_Shdr table, names;
  for (size_t i = 0; i < o->header.e_shnum; ++i) {
    if (!read_section(o, i, &table))
      return false;
    if (table.sh_type != SHT_SYMTAB)
      continue;
    if (!read_section(o, table.sh_link, &names) ||
        names.sh_type != SHT_STRTAB || names.sh_size == 0 ||
        o->file[names.sh_offset + names.sh_size - 1] != 0)
      return false;
    o->num_symbols = table.sh_size / sizeof(*o->symbols);
    o->symbols = calloc(o->num_symbols + 1, sizeof(*o->symbols));
    o->names_size = names.sh_size;
    o->names = malloc(names.sh_size);
    if (!o->symbols || !o->names)
      return false;
    memcpy(o->symbols, o->file + table.sh_offset,
           o->num_symbols * sizeof(*o->symbols));
    memcpy(o->names, o->file + names.sh_offset, names.sh_size);
    return true;
  }
  return false;
}

static const char *name_of(const xc_object *o, const Elf64_Sym *symbol) {
  return symbol->st_name < o->names_size ? o->names + symbol->st_name : "";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool align_to(size_t alignment, size_t *size) {
  if (alignment == 0)
    alignment = 1;
  if (alignment > 4096 || (alignment & (alignment - 1)))
    return false;
  *size = (*size + alignment - 1) & ~(alignment - 1);
  return true;
}

// Where sections go. None is larger than the file that holds it, and code has
// no memory of its own.
static bool plan(xc_object *o) {
  o->places = calloc(o->header.e_shnum + 1u, sizeof(*o->places));
  if (!o->places)
    return false;
  for (size_t i = 0; i < o->header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_section(o, i, &section))
      return false;
    o->places[i] = SIZE_MAX;
    if (!(section.sh_flags & SHF_ALLOC))
      continue;
    if ((section.sh_type == SHT_NOBITS && section.sh_size) ||
        !align_to(section.sh_addralign, &o->size))
      return false;
    o->places[i] = o->size;
    o->size += section.sh_type == SHT_NOBITS ? 0 : section.sh_size;
  }
  if (!align_to(16, &o->size))
    return false;
  o->slots = o->size;
  o->size += o->num_symbols * SLOT;
  return o->size;
}

static bool copy_sections(xc_object *o) {
  void *memory = mmap(NULL, o->size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  o->memory = memory;
  for (size_t i = 0; i < o->header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (o->places[i] != SIZE_MAX && read_section(o, i, &section) &&
        section.sh_type != SHT_NOBITS && section.sh_size)
      memcpy(o->memory + o->places[i], o->file + section.sh_offset,
             section.sh_size);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static unsigned char *slot_of(const xc_object *o, size_t symbol) {
  return o->memory + o->slots + symbol * SLOT;
}

// Functions of the C library, which every process has, and of its mathematical
// part, which this library comes with.
static uint64_t find_outside(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  void *math = found ? NULL : dlopen("libm.so.6", RTLD_NOW);
  if (math)
    found = dlsym(math, name);
  return (uint64_t)(uintptr_t)found;
}

// 0: there is none.
static uint64_t find_symbol(const xc_object *o, size_t index) {
  const Elf64_Sym *symbol = &o->symbols[index];
  if (symbol->st_shndx == SHN_ABS)
    return symbol->st_value;
  if (symbol->st_shndx == SHN_UNDEF)
    return index ? find_outside(name_of(o, symbol)) : 0;
  if (symbol->st_shndx >= o->header.e_shnum ||
      o->places[symbol->st_shndx] == SIZE_MAX)
    return 0;
  return (uint64_t)(uintptr_t)o->memory + o->places[symbol->st_shndx] +
         symbol->st_value;
}

static void fill_slots(const xc_object *o) {
#if defined(__x86_64__)
  // jmp *-14(%rip)
  static const unsigned char stub[] = {0xff, 0x25, 0xf2, 0xff, 0xff, 0xff};
#else
  // ldr x16, -8; br x16
  static const unsigned char stub[] = {0xd0, 0xff, 0xff, 0x58,
                                       0x00, 0x02, 0x1f, 0xd6};
#endif
  for (size_t i = 0; i < o->num_symbols; ++i) {
    uint64_t address = find_symbol(o, i);
    memcpy(slot_of(o, i), &address, sizeof(address));
    memcpy(slot_of(o, i) + STUB, stub, sizeof(stub));
  }
}

//===----------------------------------------------------------------------===//
// Relocations
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
static bool apply(const xc_relocation *r) { return xc_relocate_x86_64(r); }
static bool is_call(uint32_t type) { return type == R_X86_64_PLT32; }
#else
static bool apply(const xc_relocation *r) { return xc_relocate_aarch64(r); }
static bool is_call(uint32_t type) {
  return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
}
#endif

static bool relocate_one(const xc_object *o, const Elf64_Shdr *target,
                         unsigned char *base, const Elf64_Rela *rela) {
  size_t index = ELF64_R_SYM(rela->r_info);
  if (index >= o->num_symbols ||
      !lies_within(rela->r_offset, 4, target->sh_size))
    return false;
  unsigned char *slot = slot_of(o, index);
  xc_relocation r = {.type = (uint32_t)ELF64_R_TYPE(rela->r_info),
                     .addend = rela->r_addend,
                     .place = base + rela->r_offset,
                     .got = (uint64_t)(uintptr_t)slot};
  memcpy(&r.symbol, slot, sizeof(r.symbol));
  if (index && !r.symbol) {
    fprintf(stderr, "xc-cpu: no library here has '%s'\n",
            name_of(o, &o->symbols[index]));
    return false;
  }
  // Functions of other libraries may be too far away for a call.
  if (is_call(r.type) && o->symbols[index].st_shndx == SHN_UNDEF)
    r.symbol = (uint64_t)(uintptr_t)slot + STUB;
  return apply(&r);
}

static bool relocate_section(const xc_object *o, const Elf64_Shdr *section) {
  Elf64_Shdr target;
  if (!read_section(o, section->sh_info, &target))
    return false;
  size_t place = o->places[section->sh_info];
  if (place == SIZE_MAX)
    return true;
  for (size_t i = 0; i < section->sh_size / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela rela;
    memcpy(&rela, o->file + section->sh_offset + i * sizeof(rela),
           sizeof(rela));
    if (!relocate_one(o, &target, o->memory + place, &rela))
      return false;
  }
  return true;
}

static bool relocate(const xc_object *o) {
  for (size_t i = 0; i < o->header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_section(o, i, &section) ||
        (section.sh_type == SHT_RELA && !relocate_section(o, &section)))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

static bool load(xc_object *o, const char **error) {
  *error = "is not an object file for this machine";
  if (!read_header(o) || !read_symbols(o) || !plan(o))
    return false;
  *error = "finds no memory";
  if (!copy_sections(o))
    return false;
  fill_slots(o);
  *error = "has relocations that cannot be applied here";
  if (!relocate(o))
    return false;
  *error = "must not be executed here";
  if (mprotect(o->memory, o->size, PROT_READ | PROT_EXEC) != 0)
    return false;
  __builtin___clear_cache((char *)o->memory, (char *)o->memory + o->size);
  return true;
}

xc_object *xc_object_load(const void *bytes, size_t size, const char **error) {
  xc_object *o = calloc(1, sizeof(*o));
  *error = "finds no memory";
  if (!o)
    return NULL;
  o->file = bytes;
  o->file_size = size;
  if (load(o, error))
    return o;
  xc_object_free(o);
  return NULL;
}

void *xc_object_find(const xc_object *object, const char *symbol) {
  for (size_t i = 1; i < object->num_symbols; ++i) {
    if (object->symbols[i].st_shndx != SHN_UNDEF &&
        strcmp(name_of(object, &object->symbols[i]), symbol) == 0)
      return (void *)(uintptr_t)find_symbol(object, i);
  }
  return NULL;
}

void xc_object_free(xc_object *object) {
  if (!object)
    return;
  if (object->memory)
    munmap(object->memory, object->size);
  free(object->places);
  free(object->symbols);
  free(object->names);
  free(object);
}

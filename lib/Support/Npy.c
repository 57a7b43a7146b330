//===- Npy.c - arrays in NumPy's file format ------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "Diag.h"
#include "Memory.h"
#include "SmallFloat.h"
#include "Text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool xc_npy_is(const unsigned char *data, size_t size) {
  return size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

// The header's text and what is left of it.
typedef struct header {
  XcDiag *diag;
  const char *file;
  const char *at;
  const char *end;
} header;

static bool npy_error(const header *h, const char *what) {
  return xc_file_error(h->diag, h->file, "not a NumPy array: %s", what);
}

static void skip_space(header *h) {
  while (h->at < h->end && (*h->at == ' ' || *h->at == '\n'))
    ++h->at;
}

static bool accept(header *h, const char *word) {
  skip_space(h);
  size_t length = strlen(word);
  if ((size_t)(h->end - h->at) < length || memcmp(h->at, word, length) != 0)
    return false;
  h->at += length;
  return true;
}

static bool parse_type(header *h, xc_npy_type *type) {
  bool ok = accept(h, "'<") || accept(h, "'|") || accept(h, "'=");
  if (!ok)
    return npy_error(h, "the elements are not little-endian numbers");
  if (h->end - h->at < 3 || !strchr("iufb", h->at[0]) ||
      !strchr(h->at[0] == 'f' ? "248" : "1248", h->at[1]) || h->at[2] != '\'')
    return npy_error(h, "the elements are of an unknown type");
  *type = (xc_npy_type){h->at[0], (unsigned)(h->at[1] - '0')};
  h->at += 3;
  return true;
}

static bool parse_number(header *h, uint64_t *number) {
  skip_space(h);
  const char *start = h->at;
  *number = 0;
  for (; h->at < h->end && *h->at >= '0' && *h->at <= '9'; ++h->at) {
    if (*number > (UINT64_C(1) << 56))
      return npy_error(h, "a dimension is too large");
    *number = *number * 10 + (uint64_t)(*h->at - '0');
  }
  return h->at != start || npy_error(h, "the shape is not a list of numbers");
}

static bool parse_shape(header *h, xc_npy *npy) {
  if (!accept(h, "("))
    return npy_error(h, "the shape is not a list of numbers");
  npy->count = 1;
  while (!accept(h, ")")) {
    if (npy->rank == XC_NPY_MAX_RANK)
      return npy_error(h, "there are too many dimensions");
    uint64_t size;
    if (!parse_number(h, &size))
      return false;
    if (size && npy->count > (UINT64_C(1) << 56) / size)
      return npy_error(h, "the array is too large");
    npy->shape[npy->rank++] = size;
    npy->count *= size;
    if (!accept(h, ",")) {
      if (!accept(h, ")"))
        return npy_error(h, "the shape is not a list of numbers");
      break;
    }
  }
  return true;
}

static bool parse_header(header *h, xc_npy *npy) {
  bool has_type = false, has_order = false, has_shape = false;
  if (!accept(h, "{"))
    return npy_error(h, "the header is not a dictionary");
  while (!accept(h, "}")) {
    if (!has_type && accept(h, "'descr'") && accept(h, ":")) {
      if (!parse_type(h, &npy->type))
        return false;
      has_type = true;
    } else if (!has_order && accept(h, "'fortran_order'") && accept(h, ":")) {
      npy->fortran_order = accept(h, "True");
      if (!npy->fortran_order && !accept(h, "False"))
        return npy_error(h, "the order is neither True nor False");
      has_order = true;
    } else if (!has_shape && accept(h, "'shape'") && accept(h, ":")) {
      if (!parse_shape(h, npy))
        return false;
      has_shape = true;
    } else {
      return npy_error(h, "the header has an unknown entry");
    }
    accept(h, ",");
  }
  return (has_type && has_order && has_shape) ||
         npy_error(h, "the header misses an entry");
}

/// Whether the order of the elements matters.
static bool has_order(const xc_npy *npy) {
  size_t large = 0;
  for (size_t i = 0; i < npy->rank; ++i)
    large += npy->shape[i] > 1;
  return large > 1 && npy->count > 0;
}

bool xc_npy_parse_start(XcDiag *diag, const char *file,
                        const unsigned char *data, size_t size, uint64_t total,
                        xc_npy *npy) {
  header h = {.diag = diag, .file = file};
  *npy = (xc_npy){0};
  enum { FIXED = sizeof(magic) + 2 };
  if (size < FIXED + 4 || !xc_npy_is(data, size))
    return npy_error(&h, "the magic bytes are missing");
  unsigned major = data[sizeof(magic)];
  if (major < 1 || major > 3)
    return npy_error(&h, "the version is unknown");
  size_t length = (size_t)data[FIXED] | (size_t)data[FIXED + 1] << 8;
  size_t start = FIXED + 2;
  if (major > 1) {
    length |= (size_t)data[FIXED + 2] << 16 | (size_t)data[FIXED + 3] << 24;
    start += 2;
  }
  if (length > size - start)
    return npy_error(&h, "the header is cut off");
  h.at = (const char *)data + start;
  h.end = h.at + length;
  if (!parse_header(&h, npy))
    return false;
  npy->fortran_order = npy->fortran_order && has_order(npy);
  npy->data = data + start + length;
  uint64_t room = total - start - length;
  return npy->count <= room / npy->type.size ||
         npy_error(&h, "the elements are cut off");
}

bool xc_npy_parse(XcDiag *diag, const char *file, const unsigned char *data,
                  size_t size, xc_npy *npy) {
  return xc_npy_parse_start(diag, file, data, size, size, npy);
}

/// Brings elements from Fortran's order into C's.
static void reorder(const xc_npy *npy, const unsigned char *from,
                    unsigned char *to) {
  uint64_t index[XC_NPY_MAX_RANK] = {0}, step[XC_NPY_MAX_RANK];
  uint64_t at = 0;
  size_t each = npy->type.size;
  for (size_t i = 0; i < npy->rank; ++i)
    step[i] = i ? step[i - 1] * npy->shape[i - 1] : 1;
  for (uint64_t i = 0; i < npy->count; ++i, to += each) {
    memcpy(to, from + at * each, each);
    for (size_t d = npy->rank; d-- > 0;) {
      at += step[d];
      if (++index[d] < npy->shape[d])
        break;
      at -= step[d] * npy->shape[d];
      index[d] = 0;
    }
  }
}

bool xc_npy_parse_buffer(XcDiag *diag, const char *file, xc_buffer *buffer,
                         xc_npy *npy) {
  if (!xc_npy_parse(diag, file, buffer->data, buffer->size, npy))
    return false;
  if (!npy->fortran_order)
    return true;
  size_t size = (size_t)npy->count * npy->type.size;
  unsigned char *from = xc_alloc(size);
  memcpy(from, npy->data, size);
  reorder(npy, from, buffer->data + (npy->data - buffer->data));
  free(from);
  npy->fortran_order = false;
  return true;
}

/// Keeps the dimensions of more than one element. Returns their number.
static size_t squeeze(const uint64_t *dims, size_t rank, uint64_t *squeezed) {
  size_t count = 0;
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != 1)
      squeezed[count++] = dims[i];
  return count;
}

bool xc_npy_holds(const xc_npy *npy, const uint64_t *dims, size_t rank) {
  uint64_t have[XC_NPY_MAX_RANK], want[XC_NPY_MAX_RANK], elements = 1;
  // The first dimension of a batch may hold several of them.
  size_t first = rank > 0 && dims[0] > 1;
  for (size_t i = 0; i < rank; ++i)
    elements *= dims[i];
  size_t num_have = squeeze(npy->shape, npy->rank, have);
  size_t num_want = squeeze(dims + first, rank - first, want);
  if (num_have <= 1 || have[num_have - 1] == elements)
    return true;
  return num_want <= num_have &&
         memcmp(have + num_have - num_want, want, num_want * sizeof *want) == 0;
}

double xc_npy_real(xc_npy_type type, const unsigned char *at) {
  uint16_t half;
  float single;
  double real;
  switch (type.size) {
  case sizeof(half):
    memcpy(&half, at, sizeof(half));
    return xc_small_to_real(half, xc_half_format);
  case sizeof(single):
    memcpy(&single, at, sizeof(single));
    return (double)single;
  default:
    memcpy(&real, at, sizeof(real));
    return real;
  }
}

bool xc_npy_write(XcDiag *diag, const char *path, const xc_npy *npy) {
  enum { FIXED = sizeof(magic) + 4, ALIGNMENT = 64 };
  xc_text text = {0};
  xc_text_printf(
      &text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (",
      npy->type.size == 1 ? '|' : '<', npy->type.kind, npy->type.size);
  for (size_t i = 0; i < npy->rank; ++i)
    xc_text_printf(&text, "%s%" PRIu64, i ? ", " : "", npy->shape[i]);
  xc_text_puts(&text, npy->rank == 1 ? ",), }" : "), }");
  while ((FIXED + text.length + 1) % ALIGNMENT)
    xc_text_puts(&text, " ");
  xc_text_puts(&text, "\n");
  const unsigned char length[] = {1, 0, (unsigned char)(text.length & 0xff),
                                  (unsigned char)(text.length >> 8)};
  xc_output output;
  bool ok = xc_output_open(diag, path, &output);
  if (ok) {
    fwrite(magic, 1, sizeof(magic), output.stream);
    fwrite(length, 1, sizeof(length), output.stream);
    fwrite(text.data, 1, text.length, output.stream);
    fwrite(npy->data, npy->type.size, npy->count, output.stream);
    ok = xc_output_keep(diag, &output);
  }
  xc_text_free(&text);
  return ok;
}

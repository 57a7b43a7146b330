//===- Jpeg.c - JPEG files ------------------------------------------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "Support/Diag.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

// These two rely on stdio.h.
#include <jpeglib.h>

#include <jerror.h>

typedef struct jpeg_errors {
  struct jpeg_error_mgr manager; // first: libjpeg knows this part
  jmp_buf escape;
  char message[JMSG_LENGTH_MAX];
} jpeg_errors;

static void fail_jpeg(j_common_ptr jpeg) {
  jpeg_errors *errors = (jpeg_errors *)jpeg->err;
  jpeg->err->format_message(jpeg, errors->message);
  longjmp(errors->escape, 1);
}

// Most warnings are about bytes between segments. These two say that pixels are
// missing, in place of which libjpeg makes some up.
static void warn_jpeg(j_common_ptr jpeg, int level) {
  int code = jpeg->err->msg_code;
  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER))
    fail_jpeg(jpeg);
}

// A few bytes more make a scan, each of which goes over the whole picture.
static void count_scans(j_common_ptr jpeg) {
  enum { MOST = 500 };
  if (jpeg->is_decompressor &&
      ((j_decompress_ptr)jpeg)->input_scan_number > MOST) {
    jpeg_errors *errors = (jpeg_errors *)jpeg->err;
    snprintf(errors->message, sizeof(errors->message), "more than %d scans",
             (int)MOST);
    longjmp(errors->escape, 1);
  }
}

// libjpeg leaves four inks as they are. What colour they give is in a profile,
// and a formula without it would show the network other pictures than the ones
// it was trained on.
static bool check_colours(XcDiag *diag, const char *path,
                          J_COLOR_SPACE colours) {
  return (colours != JCS_CMYK && colours != JCS_YCCK) ||
         xc_file_error(diag, path,
                       "the JPEG file is in CMYK, expected grey, YCbCr or RGB; "
                       "convert it to RGB with its colour profile");
}

// Reads the file. Variables that change between setjmp and longjmp lie behind
// pointers.
static bool read_jpeg(XcDiag *diag, const char *path,
                      struct jpeg_decompress_struct *jpeg, xc_image *image) {
  jpeg_read_header(jpeg, TRUE);
  if (!check_colours(diag, path, jpeg->jpeg_color_space))
    return false;
  jpeg->out_color_space = image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  // The exact transform: the same pixels from every version and processor.
  jpeg->dct_method = JDCT_ISLOW;
  jpeg_calc_output_dimensions(jpeg);
  if (!xc_image_allocate(diag, path, jpeg->output_height, jpeg->output_width,
                         image))
    return false;
  jpeg_start_decompress(jpeg);
  size_t row = (size_t)(image->size.width * image->channels);
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW line = image->pixels + jpeg->output_scanline * row;
    jpeg_read_scanlines(jpeg, &line, 1);
  }
  jpeg_finish_decompress(jpeg);
  return true;
}

bool xc_image_decode_jpeg(XcDiag *diag, const char *path, const xc_buffer *file,
                          xc_image *image) {
  struct jpeg_decompress_struct jpeg;
  jpeg_errors errors;
  jpeg.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = fail_jpeg;
  errors.manager.emit_message = warn_jpeg;
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&jpeg);
    return xc_file_error(diag, path, "malformed JPEG file: %s", errors.message);
  }
  jpeg_create_decompress(&jpeg);
  struct jpeg_progress_mgr progress = {.progress_monitor = count_scans};
  jpeg.progress = &progress;
  jpeg_mem_src(&jpeg, file->data, file->size);
  bool ok = read_jpeg(diag, path, &jpeg, image);
  jpeg_destroy_decompress(&jpeg);
  return ok;
}

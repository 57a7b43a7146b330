/* What the accelerator would do, in plain C. */
#include "nuc_fpga.h"

#include <stdio.h>
#include <stdlib.h>

/* With NUC_FPGA_VERBOSE in the environment, every call says so. */
static void trace(const char *function) {
  if (getenv("NUC_FPGA_VERBOSE"))
    printf("Calling from %s\n", function);
}

static int at(int channel, int height, int width, int row, int column) {
  return (channel * height + row) * width + column;
}

void nuc_fpga_conv2d(int8_t *feature_map, int8_t *kernel, int *out, int batch,
                     int in_ch, int in_height, int in_width, int kernel_number,
                     int group, int pad_height, int pad_width,
                     int kernel_height, int kernel_width, int stride_height,
                     int stride_width) {
  int out_height =
      (in_height + 2 * pad_height - kernel_height) / stride_height + 1;
  int out_width = (in_width + 2 * pad_width - kernel_width) / stride_width + 1;
  int depth = in_ch / group;
  trace("nuc_fpga_conv2d");
  for (int n = 0; n < batch; ++n)
    for (int o = 0; o < kernel_number; ++o)
      for (int y = 0; y < out_height; ++y)
        for (int x = 0; x < out_width; ++x) {
          int first = o / (kernel_number / group) * depth, sum = 0;
          for (int c = 0; c < depth; ++c)
            for (int ky = 0; ky < kernel_height; ++ky)
              for (int kx = 0; kx < kernel_width; ++kx) {
                int row = y * stride_height + ky - pad_height;
                int column = x * stride_width + kx - pad_width;
                if (row >= 0 && row < in_height && column >= 0 &&
                    column < in_width)
                  sum += feature_map[at(n * in_ch + first + c, in_height,
                                        in_width, row, column)] *
                         kernel[at(o * depth + c, kernel_height, kernel_width,
                                   ky, kx)];
              }
          out[at(n * kernel_number + o, out_height, out_width, y, x)] = sum;
        }
}

void nuc_fpga_dense(int8_t *feature_map, int8_t *kernel, int *out, int batch,
                    int in_dim, int out_dim) {
  trace("nuc_fpga_dense");
  for (int n = 0; n < batch; ++n)
    for (int o = 0; o < out_dim; ++o) {
      int sum = 0;
      for (int i = 0; i < in_dim; ++i)
        sum += feature_map[n * in_dim + i] * kernel[o * in_dim + i];
      out[n * out_dim + o] = sum;
    }
}

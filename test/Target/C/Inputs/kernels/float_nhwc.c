// Plain loops in another layout, with no padding of their own.
#include "float_nhwc.h"

#include <stdio.h>

void my_conv(const float *weights, const float *input, float *output,
             int in_height, int in_width, int in_channels, int out_height,
             int out_width, int out_channels, int kernel_height,
             int kernel_width, int stride_height, int stride_width) {
  puts("my_conv");
  (void)in_height;
  for (int y = 0; y < out_height; ++y)
    for (int x = 0; x < out_width; ++x)
      for (int o = 0; o < out_channels; ++o) {
        double sum = 0;
        for (int ky = 0; ky < kernel_height; ++ky)
          for (int kx = 0; kx < kernel_width; ++kx)
            for (int c = 0; c < in_channels; ++c) {
              int row = y * stride_height + ky, column = x * stride_width + kx;
              sum += input[(row * in_width + column) * in_channels + c] *
                     weights[((o * kernel_height + ky) * kernel_width + kx) *
                                 in_channels +
                             c];
            }
        output[(y * out_width + x) * out_channels + o] = (float)sum;
      }
}

void my_dense(const float *input, const float *weights, float *output,
              int in_channels, int out_channels) {
  puts("my_dense");
  for (int o = 0; o < out_channels; ++o) {
    double sum = 0;
    for (int i = 0; i < in_channels; ++i)
      sum += input[i] * weights[i * out_channels + o];
    output[o] = (float)sum;
  }
}

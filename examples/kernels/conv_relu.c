/* What a vector unit would do, in plain C. */
#include "conv_relu.h"

#include <stdio.h>
#include <stdlib.h>

void conv_relu(const float *input, const float *weights, const float *bias,
               float *output, size_t batch, size_t in_height, size_t in_width,
               size_t in_channels, size_t out_height, size_t out_width,
               size_t out_channels, size_t kernel_height, size_t kernel_width,
               size_t stride_height, size_t stride_width, ptrdiff_t pad_height,
               ptrdiff_t pad_width) {
  if (getenv("CONV_RELU_VERBOSE"))
    printf("Calling from conv_relu\n");
  for (size_t n = 0; n < batch; ++n)
    for (size_t y = 0; y < out_height; ++y)
      for (size_t x = 0; x < out_width; ++x)
        for (size_t o = 0; o < out_channels; ++o) {
          double sum = bias[o];
          for (size_t ky = 0; ky < kernel_height; ++ky)
            for (size_t kx = 0; kx < kernel_width; ++kx) {
              /* Rows and columns before the first are large numbers. */
              size_t row = y * stride_height + ky - (size_t)pad_height;
              size_t column = x * stride_width + kx - (size_t)pad_width;
              if (row >= in_height || column >= in_width)
                continue;
              const float *from =
                  input +
                  ((n * in_height + row) * in_width + column) * in_channels;
              const float *by =
                  weights +
                  ((o * kernel_height + ky) * kernel_width + kx) * in_channels;
              for (size_t c = 0; c < in_channels; ++c)
                sum += (double)from[c] * by[c];
            }
          output[((n * out_height + y) * out_width + x) * out_channels + o] =
              sum > 0 ? (float)sum : 0;
        }
}

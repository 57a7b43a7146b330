/* Functions that requantise: by shifts, and by factors. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void conv_shifts(const int8_t *input, const int8_t *weights, const int8_t *bias,
                 int8_t *output, uint16_t in_channels, uint16_t in_height,
                 uint16_t in_width, uint16_t out_channels, uint16_t out_height,
                 uint16_t out_width, uint8_t kernel_height,
                 uint8_t kernel_width, uint8_t stride_height,
                 uint8_t stride_width, uint8_t pad_height, uint8_t pad_width,
                 int bias_shift, int output_shift, int8_t activation_min);
void conv_scales(const int8_t *input, const int8_t *weights,
                 const int32_t *bias, const float *scales, int8_t *output,
                 int in_channels, int in_height, int in_width, int out_channels,
                 int out_height, int out_width, int kernel_height,
                 int kernel_width, int stride_height, int stride_width,
                 int output_zero_point);

void conv_shifts(const int8_t *input, const int8_t *weights, const int8_t *bias,
                 int8_t *output, uint16_t in_channels, uint16_t in_height,
                 uint16_t in_width, uint16_t out_channels, uint16_t out_height,
                 uint16_t out_width, uint8_t kernel_height,
                 uint8_t kernel_width, uint8_t stride_height,
                 uint8_t stride_width, uint8_t pad_height, uint8_t pad_width,
                 int bias_shift, int output_shift, int8_t activation_min) {
  puts("conv_shifts");
  for (int o = 0; o < out_channels; ++o)
    for (int y = 0; y < out_height; ++y)
      for (int x = 0; x < out_width; ++x) {
        int64_t sum = (int64_t)bias[o] * ((int64_t)1 << bias_shift);
        for (int ky = 0; ky < kernel_height; ++ky)
          for (int kx = 0; kx < kernel_width; ++kx) {
            int row = y * stride_height + ky - pad_height;
            int column = x * stride_width + kx - pad_width;
            if (row < 0 || row >= in_height || column < 0 || column >= in_width)
              continue;
            for (int c = 0; c < in_channels; ++c)
              sum += input[(c * in_height + row) * in_width + column] *
                     weights[((ky * kernel_width + kx) * in_channels + c) *
                                 out_channels +
                             o];
          }
        /* Half upwards. */
        int64_t half = (int64_t)1 << (output_shift - 1);
        int64_t value = (sum + half) >> output_shift;
        value = value < activation_min ? activation_min : value;
        output[(o * out_height + y) * out_width + x] =
            (int8_t)(value > 127 ? 127 : value);
      }
}

/* Padding is not its business. */
void conv_scales(const int8_t *input, const int8_t *weights,
                 const int32_t *bias, const float *scales, int8_t *output,
                 int in_channels, int in_height, int in_width, int out_channels,
                 int out_height, int out_width, int kernel_height,
                 int kernel_width, int stride_height, int stride_width,
                 int output_zero_point) {
  (void)in_height;
  puts("conv_scales");
  for (int y = 0; y < out_height; ++y)
    for (int x = 0; x < out_width; ++x)
      for (int o = 0; o < out_channels; ++o) {
        int32_t sum = bias[o];
        for (int ky = 0; ky < kernel_height; ++ky)
          for (int kx = 0; kx < kernel_width; ++kx)
            for (int c = 0; c < in_channels; ++c)
              sum += input[((y * stride_height + ky) * in_width +
                            x * stride_width + kx) *
                               in_channels +
                           c] *
                     weights[((o * kernel_height + ky) * kernel_width + kx) *
                                 in_channels +
                             c];
        float value =
            nearbyintf((float)sum * scales[o]) + (float)output_zero_point;
        output[(y * out_width + x) * out_channels + o] =
            (int8_t)(value < -128  ? -128
                     : value > 127 ? 127
                                   : value);
      }
}

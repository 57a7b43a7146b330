/* A convolution with everything that follows it in floating point. */
#ifndef CONV_RELU_H
#define CONV_RELU_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* max(0, convolution + bias); feature maps NHWC, weights OHWI. */
void conv_relu(const float *input, const float *weights, const float *bias,
               float *output, size_t batch, size_t in_height, size_t in_width,
               size_t in_channels, size_t out_height, size_t out_width,
               size_t out_channels, size_t kernel_height, size_t kernel_width,
               size_t stride_height, size_t stride_width, ptrdiff_t pad_height,
               ptrdiff_t pad_width);

#ifdef __cplusplus
}
#endif

#endif

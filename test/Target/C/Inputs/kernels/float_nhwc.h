#ifndef FLOAT_NHWC_H
#define FLOAT_NHWC_H
void my_conv(const float *weights, const float *input, float *output,
             int in_height, int in_width, int in_channels, int out_height,
             int out_width, int out_channels, int kernel_height,
             int kernel_width, int stride_height, int stride_width);
void my_dense(const float *input, const float *weights, float *output,
              int in_channels, int out_channels);
#endif

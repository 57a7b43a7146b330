/* The functions of an accelerator, as its vendor declares them. */
#ifndef NUC_FPGA_H
#define NUC_FPGA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sums of products in 32 bits; feature maps NCHW, kernels OIHW; padding is 0.
 */
void nuc_fpga_conv2d(int8_t *feature_map, int8_t *kernel, int *out, int batch,
                     int in_ch, int in_height, int in_width, int kernel_number,
                     int group, int pad_height, int pad_width,
                     int kernel_height, int kernel_width, int stride_height,
                     int stride_width);

/* The same for vectors; the kernel has a row for each output. */
void nuc_fpga_dense(int8_t *feature_map, int8_t *kernel, int *out, int batch,
                    int in_dim, int out_dim);

#ifdef __cplusplus
}
#endif

#endif

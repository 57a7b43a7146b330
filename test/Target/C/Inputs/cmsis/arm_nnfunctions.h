/* As much of CMSIS-NN's interface as examples/kernels/cmsis_nn.json names. */
#ifndef ARM_NNFUNCTIONS_H
#define ARM_NNFUNCTIONS_H

#include <stdint.h>

typedef enum { ARM_CMSIS_NN_SUCCESS = 0 } arm_cmsis_nn_status;
typedef struct {
  int32_t w, h;
} cmsis_nn_tile;
typedef struct {
  void *buf;
  int32_t size;
} cmsis_nn_context;
typedef struct {
  int32_t n, h, w, c;
} cmsis_nn_dims;
typedef struct {
  int32_t *multiplier, *shift;
} cmsis_nn_per_channel_quant_params;
typedef struct {
  int32_t min, max;
} cmsis_nn_activation;
typedef struct {
  int32_t input_offset, output_offset;
  cmsis_nn_tile stride, padding, dilation;
  cmsis_nn_activation activation;
} cmsis_nn_conv_params;
typedef struct {
  int32_t input_offset, output_offset, ch_mult;
  cmsis_nn_tile stride, padding, dilation;
  cmsis_nn_activation activation;
} cmsis_nn_dw_conv_params;

arm_cmsis_nn_status
arm_convolve_s8(const cmsis_nn_context *ctx, const cmsis_nn_conv_params *params,
                const cmsis_nn_per_channel_quant_params *quant,
                const cmsis_nn_dims *in, const int8_t *input,
                const cmsis_nn_dims *filter, const int8_t *weights,
                const cmsis_nn_dims *bias_dims, const int32_t *bias,
                const cmsis_nn_dims *out, int8_t *output);
arm_cmsis_nn_status arm_depthwise_conv_s8(
    const cmsis_nn_context *ctx, const cmsis_nn_dw_conv_params *params,
    const cmsis_nn_per_channel_quant_params *quant, const cmsis_nn_dims *in,
    const int8_t *input, const cmsis_nn_dims *filter, const int8_t *weights,
    const cmsis_nn_dims *bias_dims, const int32_t *bias,
    const cmsis_nn_dims *out, int8_t *output);

#endif

/* The two functions in plain C, with checks of what they are given. */
#include "arm_nnfunctions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int holds, const char *what) {
  if (!holds) {
    printf("wrong: %s\n", what);
    exit(1);
  }
}

/* x * multiplier / 2^31 * 2^shift, rounded twice. */
static int32_t scale(int32_t x, int32_t multiplier, int32_t shift) {
  int64_t wide = (int64_t)x * (shift > 0 ? (int64_t)1 << shift : 1);
  int64_t product = (int64_t)(int32_t)wide * multiplier;
  int64_t nudge = product >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30);
  int32_t high = (int32_t)((product + nudge) / ((int64_t)1 << 31));
  int right = shift > 0 ? 0 : -shift;
  int32_t mask = (int32_t)(((int64_t)1 << right) - 1);
  int32_t rest = high & mask;
  return (high >> right) + (rest > (mask >> 1) + (high < 0));
}

static int8_t finish(int32_t sum, const cmsis_nn_per_channel_quant_params *q,
                     int32_t channel, int32_t offset, cmsis_nn_activation a) {
  int32_t value =
      scale(sum, q->multiplier[channel], q->shift[channel]) + offset;
  return (int8_t)(value < a.min ? a.min : value > a.max ? a.max : value);
}

arm_cmsis_nn_status
arm_convolve_s8(const cmsis_nn_context *ctx, const cmsis_nn_conv_params *p,
                const cmsis_nn_per_channel_quant_params *q,
                const cmsis_nn_dims *in, const int8_t *input,
                const cmsis_nn_dims *f, const int8_t *weights,
                const cmsis_nn_dims *bias_dims, const int32_t *bias,
                const cmsis_nn_dims *out, int8_t *output) {
  puts("arm_convolve_s8");
  check(ctx->size >= 4 * f->h * f->w * f->c, "scratch");
  memset(ctx->buf, 0x55, (size_t)ctx->size);
  check(bias_dims->c == out->c && f->n == out->c && f->c == in->c, "channels");
  for (int32_t n = 0; n < in->n; ++n)
    for (int32_t y = 0; y < out->h; ++y)
      for (int32_t x = 0; x < out->w; ++x)
        for (int32_t o = 0; o < out->c; ++o) {
          int32_t sum = bias[o];
          for (int32_t ky = 0; ky < f->h; ++ky)
            for (int32_t kx = 0; kx < f->w; ++kx) {
              int32_t row = y * p->stride.h - p->padding.h + ky * p->dilation.h;
              int32_t col = x * p->stride.w - p->padding.w + kx * p->dilation.w;
              if (row < 0 || row >= in->h || col < 0 || col >= in->w)
                continue;
              for (int32_t c = 0; c < in->c; ++c)
                sum += (input[((n * in->h + row) * in->w + col) * in->c + c] +
                        p->input_offset) *
                       weights[((o * f->h + ky) * f->w + kx) * f->c + c];
            }
          output[((n * out->h + y) * out->w + x) * out->c + o] =
              finish(sum, q, o, p->output_offset, p->activation);
        }
  return ARM_CMSIS_NN_SUCCESS;
}

arm_cmsis_nn_status arm_depthwise_conv_s8(
    const cmsis_nn_context *ctx, const cmsis_nn_dw_conv_params *p,
    const cmsis_nn_per_channel_quant_params *q, const cmsis_nn_dims *in,
    const int8_t *input, const cmsis_nn_dims *f, const int8_t *weights,
    const cmsis_nn_dims *bias_dims, const int32_t *bias,
    const cmsis_nn_dims *out, int8_t *output) {
  puts("arm_depthwise_conv_s8");
  check(!ctx->buf && ctx->size == 0, "scratch");
  check(in->n == 1 && f->n == 1 && bias_dims->c == out->c, "batch");
  check(in->c * p->ch_mult == out->c && f->c == out->c, "channels");
  for (int32_t y = 0; y < out->h; ++y)
    for (int32_t x = 0; x < out->w; ++x)
      for (int32_t o = 0; o < out->c; ++o) {
        int32_t sum = bias[o];
        for (int32_t ky = 0; ky < f->h; ++ky)
          for (int32_t kx = 0; kx < f->w; ++kx) {
            int32_t row = y * p->stride.h - p->padding.h + ky * p->dilation.h;
            int32_t col = x * p->stride.w - p->padding.w + kx * p->dilation.w;
            if (row >= 0 && row < in->h && col >= 0 && col < in->w)
              sum += (input[(row * in->w + col) * in->c + o / p->ch_mult] +
                      p->input_offset) *
                     weights[(ky * f->w + kx) * f->c + o];
          }
        output[(y * out->w + x) * out->c + o] =
            finish(sum, q, o, p->output_offset, p->activation);
      }
  return ARM_CMSIS_NN_SUCCESS;
}

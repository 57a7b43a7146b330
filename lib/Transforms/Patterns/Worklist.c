//===- Worklist.c - the operators that patterns look at next --------------===//
//
// Part of xc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <stdlib.h>

void xc_worklist_push(xc_worklist *list, MlirOperation operation) {
  if (xc_pointer_map_has(&list->places, operation.ptr))
    return;
  xc_grow((void **)&list->stack, &list->capacity, list->count + 1,
          sizeof(*list->stack));
  list->stack[list->count++] = operation;
  xc_pointer_map_set(&list->places, operation.ptr,
                     (void *)(uintptr_t)list->count);
}

void xc_worklist_remove(xc_worklist *list, MlirOperation operation) {
  uintptr_t place = (uintptr_t)xc_pointer_map_get(&list->places, operation.ptr);
  if (!place)
    return;
  list->stack[place - 1].ptr = NULL;
  xc_pointer_map_remove(&list->places, operation.ptr);
}

MlirOperation xc_worklist_pop(xc_worklist *list) {
  while (list->count) {
    MlirOperation operation = list->stack[--list->count];
    if (mlirOperationIsNull(operation))
      continue;
    xc_pointer_map_remove(&list->places, operation.ptr);
    return operation;
  }
  return (MlirOperation){NULL};
}

void xc_worklist_free(xc_worklist *list) {
  free(list->stack);
  xc_pointer_map_free(&list->places);
  *list = (xc_worklist){0};
}

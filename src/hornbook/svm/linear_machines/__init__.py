"""Support vector machines without a kernel: weights of the columns, found in the primal or in the dual."""

# Written by scripts/lazy_stubs.py.
from hornbook.kernels._feature_maps import feature_map as feature_map
from hornbook.kernels._feature_maps import feature_names as feature_names
from hornbook.kernels._kernel import Kernel as Kernel
from hornbook.kernels._kernel import KernelProduct as KernelProduct
from hornbook.kernels._kernel import KernelSum as KernelSum
from hornbook.kernels._kernel import ScaledKernel as ScaledKernel
from hornbook.kernels._kernels import Gaussian as Gaussian
from hornbook.kernels._kernels import Laplacian as Laplacian
from hornbook.kernels._kernels import Linear as Linear
from hornbook.kernels._kernels import Polynomial as Polynomial
from hornbook.kernels._kernels import Precomputed as Precomputed
from hornbook.kernels._kernels import Sigmoid as Sigmoid
from hornbook.kernels._matrices import is_mercer as is_mercer
from hornbook.kernels._matrices import is_no_product as is_no_product
from hornbook.kernels._matrices import kernel_distance as kernel_distance
from hornbook.kernels._matrices import kernel_matrix as kernel_matrix
from hornbook.kernels._matrices import kernel_of as kernel_of
from hornbook.kernels._matrices import negative_square as negative_square
from hornbook.kernels._mixed import Mixed as Mixed

HOMES: dict[str, str]
LENT: dict[str, str]

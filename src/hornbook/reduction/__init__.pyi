# Written by scripts/lazy_stubs.py.
from hornbook.reduction._cutoff import cutoff as cutoff
from hornbook.reduction._nystroem import Nystroem as Nystroem
from hornbook.reduction._pca import PCA as PCA
from hornbook.reduction._rbf_sampler import RBFSampler as RBFSampler

HOMES: dict[str, str]

# Written by scripts/lazy_stubs.py.
from hornbook.svm._one_class_svm import OneClassSVM as OneClassSVM
from hornbook.svm._svc import SVC as SVC
from hornbook.svm._svr import SVR as SVR
from hornbook.svm.geometry._conic import Conic as Conic
from hornbook.svm.geometry._conic import conic_of as conic_of
from hornbook.svm.geometry._conic import explicit_weights as explicit_weights
from hornbook.svm.geometry._hyperplane import Hyperplane as Hyperplane
from hornbook.svm.geometry._kernel_network import kernel_network as kernel_network
from hornbook.svm.kernel_learners._dual_perceptron import DualPerceptron as DualPerceptron
from hornbook.svm.kernel_learners._kernel_discriminant import KernelDiscriminant as KernelDiscriminant
from hornbook.svm.kernel_learners._kernel_perceptron import KernelPerceptron as KernelPerceptron
from hornbook.svm.kernel_learners._kernel_ridge import KernelRidge as KernelRidge
from hornbook.svm.linear_machines._linear_svc import LinearSVC as LinearSVC
from hornbook.svm.linear_machines._linear_svr import LinearSVR as LinearSVR

HOMES: dict[str, str]

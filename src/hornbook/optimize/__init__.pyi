# Written by scripts/lazy_stubs.py.
from hornbook.optimize._coordinate_descent import coordinate_descent as coordinate_descent
from hornbook.optimize._gradient_descent import gradient_descent as gradient_descent
from hornbook.optimize._gradient_descent import line_minimum as line_minimum
from hornbook.optimize._heron import heron as heron
from hornbook.optimize._interior_point import Hinges as Hinges
from hornbook.optimize._interior_point import interior_point as interior_point
from hornbook.optimize._kkt import KKT as KKT
from hornbook.optimize._kkt import kkt_residuals as kkt_residuals
from hornbook.optimize._lagrange import NumericDerivatives as NumericDerivatives
from hornbook.optimize._lagrange import StationaryPoint as StationaryPoint
from hornbook.optimize._lagrange import constrained_quadratic as constrained_quadratic
from hornbook.optimize._lagrange import stationary_point as stationary_point
from hornbook.optimize._lbfgs import lbfgs as lbfgs
from hornbook.optimize._newton import newton as newton
from hornbook.optimize._objective import FirstOrder as FirstOrder
from hornbook.optimize._objective import Iterate as Iterate
from hornbook.optimize._objective import RescaledObjective as RescaledObjective
from hornbook.optimize._objective import SecondOrder as SecondOrder
from hornbook.optimize._root import newton_root as newton_root
from hornbook.optimize._solve import positive_solver as positive_solver
from hornbook.optimize._solve import solve_positive as solve_positive
from hornbook.optimize._taylor import quadratic_change as quadratic_change
from hornbook.optimize._taylor import taylor as taylor

HOMES: dict[str, str]

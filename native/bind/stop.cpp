#include "bind/unlocked.hpp"

namespace hornbook {

namespace nb = nanobind;

namespace {

unsigned long main_thread = 0;
constinit thread_local const StopFlag* active_flag = nullptr;

}  // namespace

CallWatch::CallWatch() : handles_signals_(PyThread_get_thread_ident() == main_thread), flag_(active_flag) {}

bool CallWatch::wants_stop() {
    if (flag_ != nullptr && flag_->is_set()) return true;
    if (!handles_signals_) return false;
    const nb::gil_scoped_acquire locked;
    return PyErr_CheckSignals() != 0;  // what it raised stays with this thread until the call ends
}

void CallWatch::raise() {
    if (PyErr_Occurred() == nullptr) PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
}

void bind_stop(nb::module_& module) {
    main_thread =
        nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    nb::class_<StopFlag>(module, "StopFlag",
                         "Stops kernels on other threads: those that run inside its with statement raise "
                         "KeyboardInterrupt once it is set.")
        .def(nb::init<>())
        .def("set", &StopFlag::set)
        .def(
            "__enter__",
            [](nb::handle self) {
                active_flag = nb::inst_ptr<StopFlag>(self);
                return self;
            },
            nb::sig("def __enter__(self) -> StopFlag"))
        .def(
            "__exit__", [](const StopFlag&, const nb::args&) { active_flag = nullptr; },
            nb::sig("def __exit__(self, *args: object) -> None"));
}

}  // namespace hornbook

// Each kernel family registers its functions with the module.
#pragma once

#include <nanobind/nanobind.h>

namespace hornbook {

void bind_stop(nanobind::module_& module);
void bind_philox(nanobind::module_& module);
void bind_scan(nanobind::module_& module);
void bind_gather(nanobind::module_& module);
void bind_class_stats(nanobind::module_& module);
void bind_class_scatter(nanobind::module_& module);
void bind_joint(nanobind::module_& module);
void bind_kernel_density(nanobind::module_& module);
void bind_multinormal(nanobind::module_& module);
void bind_mixture(nanobind::module_& module);
void bind_pairs(nanobind::module_& module);
void bind_aode(nanobind::module_& module);
void bind_permute(nanobind::module_& module);
void bind_softmax(nanobind::module_& module);
void bind_ranking(nanobind::module_& module);
void bind_logistic(nanobind::module_& module);
void bind_coordinate_descent(nanobind::module_& module);
void bind_nearest(nanobind::module_& module);
void bind_density(nanobind::module_& module);
void bind_linkage(nanobind::module_& module);
void bind_perceptron(nanobind::module_& module);
void bind_kmeans(nanobind::module_& module);
void bind_cluster_distances(nanobind::module_& module);
void bind_medoids(nanobind::module_& module);
void bind_fuzzy(nanobind::module_& module);
void bind_tree(nanobind::module_& module);
void bind_level_grower(nanobind::module_& module);
void bind_pair_grower(nanobind::module_& module);
void bind_pair_passes(nanobind::module_& module);
void bind_loss_pairs(nanobind::module_& module);
void bind_tree_predict(nanobind::module_& module);
void bind_tree_digest(nanobind::module_& module);
void bind_tree_contributions(nanobind::module_& module);
void bind_tree_stump(nanobind::module_& module);

}  // namespace hornbook

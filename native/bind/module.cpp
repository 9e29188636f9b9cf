// Each kernel family registers its functions with the module. They are declared here, and only here, so that
// a new one recompiles this file alone.
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
void bind_pair_shard(nanobind::module_& module);
void bind_loss_pairs(nanobind::module_& module);
void bind_boost_round(nanobind::module_& module);
void bind_tree_predict(nanobind::module_& module);
void bind_tree_digest(nanobind::module_& module);
void bind_tree_contributions(nanobind::module_& module);
void bind_tree_stump(nanobind::module_& module);
void bind_smo(nanobind::module_& module);
void bind_lvq(nanobind::module_& module);
void bind_linear_descent(nanobind::module_& module);
void bind_rls(nanobind::module_& module);
void bind_network(nanobind::module_& module);

}  // namespace hornbook

NB_MODULE(_ext, module) {
    module.doc() = "The compiled kernels of hornbook.";
    hornbook::bind_stop(module);
    hornbook::bind_philox(module);
    hornbook::bind_scan(module);
    hornbook::bind_gather(module);
    hornbook::bind_class_stats(module);
    hornbook::bind_class_scatter(module);
    hornbook::bind_joint(module);
    hornbook::bind_kernel_density(module);
    hornbook::bind_multinormal(module);
    hornbook::bind_mixture(module);
    hornbook::bind_pairs(module);
    hornbook::bind_aode(module);
    hornbook::bind_permute(module);
    hornbook::bind_softmax(module);
    hornbook::bind_ranking(module);
    hornbook::bind_logistic(module);
    hornbook::bind_coordinate_descent(module);
    hornbook::bind_nearest(module);
    hornbook::bind_density(module);
    hornbook::bind_linkage(module);
    hornbook::bind_perceptron(module);
    hornbook::bind_kmeans(module);
    hornbook::bind_cluster_distances(module);
    hornbook::bind_medoids(module);
    hornbook::bind_fuzzy(module);
    hornbook::bind_tree(module);
    hornbook::bind_level_grower(module);
    hornbook::bind_pair_grower(module);
    hornbook::bind_pair_passes(module);
    hornbook::bind_pair_shard(module);
    hornbook::bind_loss_pairs(module);
    hornbook::bind_boost_round(module);
    hornbook::bind_tree_predict(module);
    hornbook::bind_tree_digest(module);
    hornbook::bind_tree_contributions(module);
    hornbook::bind_tree_stump(module);
    hornbook::bind_smo(module);
    hornbook::bind_lvq(module);
    hornbook::bind_linear_descent(module);
    hornbook::bind_rls(module);
    hornbook::bind_network(module);
}

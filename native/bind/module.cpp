#include "bind/bind.hpp"

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
    hornbook::bind_loss_pairs(module);
    hornbook::bind_tree_predict(module);
    hornbook::bind_tree_digest(module);
    hornbook::bind_tree_contributions(module);
    hornbook::bind_tree_stump(module);
}

// Keeps the best, the k best or one random candidate of a column, in one pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/tree/grow/node.hpp"
#include "core/tree/grow/options.hpp"

namespace hornbook {

struct Candidate {
    double score = no_gain;
    std::int32_t below = 0, above = 0;
    std::int32_t missing_child = -1;
};

class ColumnPick {
  public:
    ColumnPick(Pick pick, std::int64_t most, double tolerance, Draws& draws)
        : pick_(pick), most_(static_cast<std::size_t>(most)), tolerance_(tolerance), draws_(draws) {}

    // Of candidates that are equally good the first stays.
    template <class Score>
    void consider(const Score& score, double value, std::int32_t below, std::int32_t above,
                  std::int32_t missing_child) {
        if (value != no_gain && below != last_) {  // missing values are tried on both sides of one cut
            last_ = below;
            ++cuts_;
        }
        if (value > best_.score + tolerance_) best_ = {value, below, above, missing_child};
        if (pick_ == Pick::best || value == no_gain) return;
        if (pick_ == Pick::top_k) {
            list(value, below, above, missing_child);
            return;
        }
        const double gain = std::max(0.0, score.gain(value));
        mass_ += gain;
        // Weighted reservoir sampling of one candidate.
        if (draws_.uniform() * mass_ < gain) drawn_ = {value, below, above, missing_child};
    }

    const Candidate& best() const { return best_; }
    double mass() const { return mass_; }
    std::int64_t cuts() const { return cuts_; }  // different ones that were allowed

    std::vector<Candidate> chosen() const {
        if (best_.score == no_gain) return {};
        if (pick_ == Pick::top_k) return top_;
        return {pick_ == Pick::proportional && drawn_.score != no_gain ? drawn_ : best_};
    }

  private:
    void list(double value, std::int32_t below, std::int32_t above, std::int32_t missing_child) {
        if (top_.size() == most_ && value <= top_.back().score) return;
        const auto place = std::upper_bound(top_.begin(), top_.end(), value,
                                            [](double v, const Candidate& c) { return v > c.score; });
        top_.insert(place, {value, below, above, missing_child});
        if (top_.size() > most_) top_.pop_back();
    }

    Pick pick_;
    std::size_t most_;
    double tolerance_;
    Draws& draws_;
    Candidate best_, drawn_;
    std::vector<Candidate> top_;
    double mass_ = 0.0;
    std::int64_t cuts_ = 0;
    std::int32_t last_ = -1;
};

}  // namespace hornbook

#include "core/stop.hpp"

namespace hornbook {

namespace {

constinit thread_local Post post;

}  // namespace

void Watch::look(bool asks) {
    if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
    if (!asks || Clock::now() < next_) return;
    if (wants_stop()) {
        stopped_.store(true, std::memory_order_relaxed);
        throw Stopped();
    }
    next_ = Clock::now() + interval;  // asking may have taken a while
}

Post current_post() { return post; }

Watched::Watched(Post now) : before_(post) { post = now; }

Watched::~Watched() { post = before_; }

void stop_point() {
    if (post.watch != nullptr) post.watch->look(post.asks);
}

void Pace::pause() {
    left_ = enough;
    stop_point();
}

}  // namespace hornbook

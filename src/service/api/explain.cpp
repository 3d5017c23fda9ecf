#include <new>

#include "service/api/context.hpp"
#include "service/control/errors.hpp"
#include "service/http/problem.hpp"

namespace spineweave::service::api {

http::Problem explain(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ConflictError& conflict) {
    return {409, "conflict", conflict.what()};
  } catch (const RevisionError& revision) {
    return {412, "revision", revision.what()};
  } catch (const NotFoundError& missing) {
    return {404, "not-found", missing.what()};
  } catch (const GoneError& gone) {
    return {410, "gone", gone.what()};
  } catch (const StoreError& store) {
    return {507, "state", store.what()};
  } catch (const Error& known) {
    return http::problem_of(known);
  } catch (const std::bad_alloc&) {
    return {503, "out-of-memory", "out of memory"};
  } catch (const std::exception& unknown) {
    return {500, "internal", unknown.what()};
  }
}

}  // namespace spineweave::service::api

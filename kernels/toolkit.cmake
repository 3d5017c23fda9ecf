# Finds nvcc where the CUDA backend is wanted, and sets SPINEWEAVE_HAS_CUDA.
set(SPINEWEAVE_HAS_CUDA OFF)
if(SPINEWEAVE_CUDA STREQUAL OFF)
  return()
endif()

# The toolkit's installer does not put nvcc on the PATH.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(SPINEWEAVE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin
               DOC "CUDA compiler")
  mark_as_advanced(SPINEWEAVE_NVCC)
  if(SPINEWEAVE_NVCC)
    set(CMAKE_CUDA_COMPILER ${SPINEWEAVE_NVCC})
  endif()
endif()

# Machine code for the oldest architecture, and PTX that the driver compiles for any newer one. The
# preset `fat` holds machine code for all.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75)
endif()

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(SPINEWEAVE_CUDA STREQUAL ON)
    message(FATAL_ERROR "SPINEWEAVE_CUDA is ON, but there is no CUDA compiler that works")
  endif()
  message(STATUS "CUDA backend: no (there is no nvcc)")
  return()
endif()

enable_language(CUDA)
find_package(CUDAToolkit 12 REQUIRED)
set(SPINEWEAVE_HAS_CUDA ON)
message(STATUS "CUDA backend: yes, for architectures ${CMAKE_CUDA_ARCHITECTURES}")

# CMake before 3.25.2 does not know the flag that nvcc has had since 12.0.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()

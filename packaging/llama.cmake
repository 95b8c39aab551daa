# Read by CMake right after llama.cpp names itself: its Python package asks for the "common" library,
# which nothing of it uses and which takes half of the time to build.
set(LLAMA_BUILD_COMMON OFF)

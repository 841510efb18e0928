// The tower's kernels for NVIDIA GPUs of compute capability 8.0 and later, compiled when the program starts, with
// BF16 defined for bf16 and without it for f16. Sums are 32-bit floats. Rows are the cells of all positions, with
// channels last. No result depends on the order in which blocks run.

typedef unsigned int u32;
typedef unsigned short half_t;

constexpr u32 NOTHING = 0xffffffff;
constexpr int TAPS = 7;
constexpr float LOWEST = -3.4e38f;
constexpr int THREADS = 256;
// Rows or channels that are multiplied in one step, and the steps whose operands are in shared memory at once.
constexpr int STEP = 32;
constexpr int STAGES = 4;

#ifdef BF16
__device__ u32 pack(float low, float high) {
    u32 pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}
__device__ float2 unpack(u32 pair) {
    return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xffff0000)};
}
#define MULTIPLY "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
#else
__device__ u32 pack(float low, float high) {
    u32 pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}
__device__ float2 unpack(u32 pair) {
    float2 values;
    asm("{.reg .f16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
        : "=f"(values.x), "=f"(values.y)
        : "r"(pair));
    return values;
}
#define MULTIPLY "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
#endif

__device__ float2 load(const half_t* from) { return unpack(*reinterpret_cast<const u32*>(from)); }
__device__ void store(half_t* to, float2 values) { *reinterpret_cast<u32*>(to) = pack(values.x, values.y); }
__device__ float2 add(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }

// Copies 16 bytes to shared memory in the background, or zeros.
__device__ void copy_async(u32 to, const half_t* from, bool exists) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0));
}
__device__ void end_of_stage() { asm volatile("cp.async.commit_group;"); }
__device__ void wait_for_stage() { asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2)); }

// Loads four 8x8 matrices; each lane names the address of one of their rows.
__device__ void load_matrices(u32 (&to)[4], u32 address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
}
__device__ void load_transposed(u32 (&to)[4], u32 address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address));
}
__device__ void multiply(float (&sums)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    asm volatile(MULTIPLY "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The offset of 8 successive values in a tile in shared memory, whose rows have CHUNKS of them. Chunks are permuted
// within rows so that the 8 rows of a matrix lie in different banks.
template <int CHUNKS>
__device__ u32 chunk(int row, int number) {
    int permuted = CHUNKS == 4 ? number ^ (row >> 1 & 3) : number ^ (row & 7);
    return (row * CHUNKS + permuted) * 16;
}

// out[r] = act(sum over taps of x[taps[r][tap]] · weights[tap] + bias + residual[r]), where bias and residual may be
// null. x is [rows x inputs], weights [7 · inputs x outputs]. A block computes 128 rows of COLUMNS outputs, each of its
// 4 x 2 warps 32 rows of half the columns.
template <int COLUMNS>
__device__ void convolve(const half_t* x, const half_t* weights, const u32* taps, const half_t* bias,
                         const half_t* residual, half_t* out, int rows, int inputs, int outputs, int relu) {
    constexpr int ROWS = 128, BYTES = (ROWS + COLUMNS) * STEP * 2, WIDTH = COLUMNS / 2;
    extern __shared__ __align__(128) char shared[];
    const u32 base = __cvta_generic_to_shared(shared);
    u32* sources = reinterpret_cast<u32*>(shared + STAGES * BYTES);
    const int first_row = blockIdx.x * ROWS, first_column = blockIdx.y * COLUMNS;
    for (int i = threadIdx.x; i < ROWS * TAPS; i += THREADS)
        sources[i] = first_row + i / TAPS < rows ? taps[first_row * TAPS + i] : NOTHING;
    __syncthreads();

    const int steps_of_tap = inputs / STEP, steps = TAPS * steps_of_tap;
    auto fetch = [&](int step) {
        if (step < steps) {
            const int tap = step / steps_of_tap, channel = (step - tap * steps_of_tap) * STEP;
            const u32 a = base + step % STAGES * BYTES, b = a + ROWS * STEP * 2;
            for (int i = threadIdx.x; i < ROWS * 4; i += THREADS) {
                const u32 from = sources[i / 4 * TAPS + tap];
                const bool exists = from != NOTHING;
                const size_t row = exists ? from : 0;
                copy_async(a + chunk<4>(i / 4, i % 4), x + row * inputs + channel + i % 4 * 8, exists);
            }
            constexpr int CHUNKS = COLUMNS / 8;
            for (int i = threadIdx.x; i < STEP * CHUNKS; i += THREADS) {
                const half_t* from = weights + size_t(step * STEP + i / CHUNKS) * outputs + first_column;
                copy_async(b + chunk<CHUNKS>(i / CHUNKS, i % CHUNKS), from + i % CHUNKS * 8, true);
            }
        }
        end_of_stage();
    };

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warp_row = warp / 2 * 32, warp_column = warp % 2 * WIDTH;
    float sums[2][WIDTH / 8][4] = {};
    for (int step = 0; step < STAGES - 1; step++) fetch(step);
    for (int step = 0; step < steps; step++) {
        wait_for_stage();
        __syncthreads();
        fetch(step + STAGES - 1);
        const u32 a = base + step % STAGES * BYTES, b = a + ROWS * STEP * 2;
        for (int k = 0; k < STEP; k += 16) {
            u32 left[2][4];
            for (int m = 0; m < 2; m++)
                load_matrices(left[m], a + chunk<4>(warp_row + m * 16 + lane % 16, k / 8 + lane / 16));
            for (int n = 0; n < WIDTH / 16; n++) {
                u32 right[4];
                const int column = (warp_column + n * 16) / 8 + lane / 16;
                load_transposed(right, b + chunk<COLUMNS / 8>(k + lane % 16, column));
                for (int m = 0; m < 2; m++) {
                    multiply(sums[m][2 * n], left[m], right[0], right[1]);
                    multiply(sums[m][2 * n + 1], left[m], right[2], right[3]);
                }
            }
        }
    }

    for (int part = 0; part < 4; part++) {
        const int m = part / 2, high = part % 2;
        const int row = first_row + warp_row + m * 16 + high * 8 + lane / 4;
        if (row >= rows) continue;
        for (int n = 0; n < WIDTH / 8; n++) {
            const int column = first_column + warp_column + n * 8 + lane % 4 * 2;
            const size_t at = size_t(row) * outputs + column;
            float2 value = {sums[m][n][2 * high], sums[m][n][2 * high + 1]};
            if (bias) value = add(value, load(bias + column));
            if (residual) value = add(value, load(residual + at));
            if (relu) value = {fmaxf(value.x, 0), fmaxf(value.y, 0)};
            store(out + at, value);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
convolve_64(const half_t* x, const half_t* weights, const u32* taps, const half_t* bias, const half_t* residual,
            half_t* out, int rows, int inputs, int outputs, int relu) {
    convolve<64>(x, weights, taps, bias, residual, out, rows, inputs, outputs, relu);
}
extern "C" __global__ void __launch_bounds__(THREADS, 2)
convolve_128(const half_t* x, const half_t* weights, const u32* taps, const half_t* bias, const half_t* residual,
             half_t* out, int rows, int inputs, int outputs, int relu) {
    convolve<128>(x, weights, taps, bias, residual, out, rows, inputs, outputs, relu);
}

// partial[part][tap · inputs + i][o] = sum over the part's rows of x[taps[r][tap]][i] · gradient[r][o]. A block
// computes a tile of SIDE x SIDE weights of a tap over one part of the rows.
template <int SIDE>
__device__ void weight_gradient(const half_t* x, const half_t* gradient, const u32* taps, float* partial, int rows,
                                int inputs, int outputs) {
    constexpr int BYTES = 2 * SIDE * STEP * 2, CHUNKS = SIDE / 8, COPIES = STEP * CHUNKS / THREADS;
    constexpr int HEIGHT = SIDE / 4, WIDTH = SIDE / 2;
    extern __shared__ __align__(128) char shared[];
    const u32 base = __cvta_generic_to_shared(shared);
    const int tiles = outputs / SIDE, tap = blockIdx.y;
    const int first_input = blockIdx.x / tiles * SIDE, first_output = blockIdx.x % tiles * SIDE;
    const int steps_in_all = (rows + STEP - 1) / STEP, steps_each = (steps_in_all + gridDim.z - 1) / gridDim.z;
    const int first_step = blockIdx.z * steps_each, end = min(first_step + steps_each, steps_in_all);

    // The rows to copy are read one step before their copies begin.
    u32 sources[COPIES];
    auto look_up = [&](int step) {
        for (int copy = 0; copy < COPIES; copy++) {
            const int row = step * STEP + (threadIdx.x + copy * THREADS) / CHUNKS;
            sources[copy] = step < end && row < rows ? taps[size_t(row) * TAPS + tap] : NOTHING;
        }
    };
    auto fetch = [&](int step) {
        const u32 a = base + step % STAGES * BYTES, b = a + SIDE * STEP * 2;
        for (int copy = 0; copy < COPIES && step < end; copy++) {
            const int i = threadIdx.x + copy * THREADS, row = step * STEP + i / CHUNKS;
            const u32 to = chunk<CHUNKS>(i / CHUNKS, i % CHUNKS);
            const bool exists = sources[copy] != NOTHING;
            const size_t from = exists ? sources[copy] : 0, at = exists ? row : 0;
            copy_async(a + to, x + from * inputs + first_input + i % CHUNKS * 8, exists);
            copy_async(b + to, gradient + at * outputs + first_output + i % CHUNKS * 8, exists);
        }
        end_of_stage();
        look_up(step + 1);
    };

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warp_row = warp / 2 * HEIGHT, warp_column = warp % 2 * WIDTH;
    float sums[HEIGHT / 16][WIDTH / 8][4] = {};
    look_up(first_step);
    for (int step = 0; step < STAGES - 1; step++) fetch(first_step + step);
    for (int step = first_step; step < end; step++) {
        wait_for_stage();
        __syncthreads();
        fetch(step + STAGES - 1);
        const u32 a = base + step % STAGES * BYTES, b = a + SIDE * STEP * 2;
        for (int k = 0; k < STEP; k += 16) {
            u32 left[HEIGHT / 16][4];
            for (int m = 0; m < HEIGHT / 16; m++) {
                const int row = k + lane % 8 + lane / 16 * 8, column = (warp_row + m * 16) / 8 + lane / 8 % 2;
                load_transposed(left[m], a + chunk<CHUNKS>(row, column));
            }
            for (int n = 0; n < WIDTH / 16; n++) {
                u32 right[4];
                const int column = (warp_column + n * 16) / 8 + lane / 16;
                load_transposed(right, b + chunk<CHUNKS>(k + lane % 16, column));
                for (int m = 0; m < HEIGHT / 16; m++) {
                    multiply(sums[m][2 * n], left[m], right[0], right[1]);
                    multiply(sums[m][2 * n + 1], left[m], right[2], right[3]);
                }
            }
        }
    }

    partial += size_t(blockIdx.z) * TAPS * inputs * outputs;
    for (int m = 0; m < HEIGHT / 16; m++)
        for (int high = 0; high < 2; high++) {
            const int row = tap * inputs + first_input + warp_row + m * 16 + high * 8 + lane / 4;
            for (int n = 0; n < WIDTH / 8; n++) {
                const int column = first_output + warp_column + n * 8 + lane % 4 * 2;
                const float2 value = {sums[m][n][2 * high], sums[m][n][2 * high + 1]};
                *reinterpret_cast<float2*>(partial + size_t(row) * outputs + column) = value;
            }
        }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
weight_gradient_64(const half_t* x, const half_t* gradient, const u32* taps, float* partial, int rows, int inputs,
                   int outputs) {
    weight_gradient<64>(x, gradient, taps, partial, rows, inputs, outputs);
}
extern "C" __global__ void __launch_bounds__(THREADS, 2)
weight_gradient_128(const half_t* x, const half_t* gradient, const u32* taps, float* partial, int rows, int inputs,
                    int outputs) {
    weight_gradient<128>(x, gradient, taps, partial, rows, inputs, outputs);
}

// out[i] = sum over the parts of partial[part][i], for an even length.
extern "C" __global__ void sum_parts(const float* partial, half_t* out, int parts, int length) {
    const int at = (blockIdx.x * THREADS + threadIdx.x) * 2;
    if (at >= length) return;
    float2 sum = {};
#pragma unroll 8
    for (int part = 0; part < parts; part++)
        sum = add(sum, *reinterpret_cast<const float2*>(partial + size_t(part) * length + at));
    store(out + at, sum);
}

// Adds up what the threads of a block found for the same two channels; the first of them gets the sum.
__device__ float2 sum_of_block(float2 value, int pairs) {
    __shared__ float2 found[THREADS];
    found[threadIdx.x] = value;
    __syncthreads();
    for (int other = threadIdx.x + pairs; threadIdx.x < pairs && other < THREADS; other += pairs)
        value = add(value, found[other]);
    __syncthreads();
    return value;
}

// partial[block][c] = sum over the block's rows of x[r][c]. Channels are at most 512, their halves divide 256.
extern "C" __global__ void sum_columns(const half_t* x, float* partial, int rows, int channels) {
    const int pairs = channels / 2, column = threadIdx.x % pairs * 2, together = THREADS / pairs;
    float2 sum = {};
    for (int row = blockIdx.x * together + threadIdx.x / pairs; row < rows; row += gridDim.x * together)
        sum = add(sum, load(x + size_t(row) * channels + column));
    sum = sum_of_block(sum, pairs);
    if (threadIdx.x < pairs) *reinterpret_cast<float2*>(partial + size_t(blockIdx.x) * channels + column) = sum;
}

// out = gradient where the result of a ReLU is positive, else 0. A thread computes 8 values.
extern "C" __global__ void relu_gradient(const half_t* gradient, const half_t* result, half_t* out, int length) {
    const int at = (blockIdx.x * THREADS + threadIdx.x) * 8;
    if (at >= length) return;
    uint4 values = *reinterpret_cast<const uint4*>(gradient + at);
    const uint4 results = *reinterpret_cast<const uint4*>(result + at);
    auto masked = [](u32 value, u32 result) {
        const float2 passes = unpack(result);
        return (passes.x > 0 ? value & 0xffff : 0) | (passes.y > 0 ? value & 0xffff0000 : 0);
    };
    values = {masked(values.x, results.x), masked(values.y, results.y), masked(values.z, results.z),
              masked(values.w, results.w)};
    *reinterpret_cast<uint4*>(out + at) = values;
}

// The kernels below run a block for each position, whose rows begin at starts[position].

// out[position] = the means over the position's rows, then the maxima.
extern "C" __global__ void pool(const half_t* x, const u32* starts, half_t* out, int channels) {
    __shared__ float2 found[THREADS];
    const int pairs = channels / 2, column = threadIdx.x % pairs * 2;
    const u32 start = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    float2 sum = {}, most = {LOWEST, LOWEST};
    for (u32 row = start + threadIdx.x / pairs; row < end; row += THREADS / pairs) {
        const float2 value = load(x + size_t(row) * channels + column);
        sum = add(sum, value);
        most = {fmaxf(most.x, value.x), fmaxf(most.y, value.y)};
    }
    sum = sum_of_block(sum, pairs);
    found[threadIdx.x] = most;
    __syncthreads();
    if (threadIdx.x >= pairs) return;
    for (int other = threadIdx.x + pairs; other < THREADS; other += pairs)
        most = {fmaxf(most.x, found[other].x), fmaxf(most.y, found[other].y)};
    const float share = 1.0f / (end - start);
    half_t* to = out + size_t(blockIdx.x) * 2 * channels + column;
    store(to, {sum.x * share, sum.y * share});
    store(to + channels, most);
}

// The gradient of pool: each row gets its share of the mean's, the first row that reaches the maximum that of the
// maximum. A thread computes two channels.
extern "C" __global__ void pool_gradient(const half_t* x, const u32* starts, const half_t* gradient, half_t* out,
                                         int channels) {
    const u32 start = starts[blockIdx.x], end = starts[blockIdx.x + 1];
    const int column = (blockIdx.y * blockDim.x + threadIdx.x) * 2;
    if (column >= channels) return;
    const half_t* from = gradient + size_t(blockIdx.x) * 2 * channels + column;
    const float2 mean = load(from), most = load(from + channels);
    float2 largest = {LOWEST, LOWEST};
    u32 first[2] = {start, start};
    for (u32 row = start; row < end; row++) {
        const float2 value = load(x + size_t(row) * channels + column);
        if (value.x > largest.x) largest.x = value.x, first[0] = row;
        if (value.y > largest.y) largest.y = value.y, first[1] = row;
    }
    const float share = 1.0f / (end - start);
    for (u32 row = start; row < end; row++)
        store(out + size_t(row) * channels + column,
              {mean.x * share + (row == first[0] ? most.x : 0), mean.y * share + (row == first[1] ? most.y : 0)});
}

// out[r] = act(x[r] + addend of the row's position).
extern "C" __global__ void add_to_positions(const half_t* x, const half_t* addends, const u32* starts, half_t* out,
                                            int channels, int relu) {
    const int pairs = channels / 2, column = threadIdx.x % pairs * 2;
    const float2 addend = load(addends + size_t(blockIdx.x) * channels + column);
    for (u32 row = starts[blockIdx.x] + threadIdx.x / pairs; row < starts[blockIdx.x + 1]; row += THREADS / pairs) {
        const size_t at = size_t(row) * channels + column;
        float2 value = add(load(x + at), addend);
        if (relu) value = {fmaxf(value.x, 0), fmaxf(value.y, 0)};
        store(out + at, value);
    }
}

// out[position] = the sum of the position's rows.
extern "C" __global__ void sum_positions(const half_t* x, const u32* starts, half_t* out, int channels) {
    const int pairs = channels / 2, column = threadIdx.x % pairs * 2;
    float2 sum = {};
    for (u32 row = starts[blockIdx.x] + threadIdx.x / pairs; row < starts[blockIdx.x + 1]; row += THREADS / pairs)
        sum = add(sum, load(x + size_t(row) * channels + column));
    sum = sum_of_block(sum, pairs);
    if (threadIdx.x < pairs) store(out + size_t(blockIdx.x) * channels + column, sum);
}

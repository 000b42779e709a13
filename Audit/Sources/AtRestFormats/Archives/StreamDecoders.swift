#if !canImport(Compression)
  import CBZip2
  import CBrotli
  import CLZMA
  import CZstd

  extension PackedStream {
    static func decoder(_ format: Format) throws(FormatError) -> any StreamDecoder {
      let decoder: (any StreamDecoder)? =
        switch format {
        case .bzip2: BZip2Decoder()
        case .xz: LZMADecoder(isAlone: false)
        case .lzma: LZMADecoder(isAlone: true)
        case .zstd: ZstdDecoder()
        case .brotli: BrotliDecoder()
        }
      guard let decoder else { throw FormatError("\(format.rawValue) could not be initialised.") }
      return decoder
    }
  }

  /// Calls `body` with the unused input and an empty buffer, and returns the filled part of the
  /// buffer. `body` sets the number of bytes that it left of each.
  private func decoded<Status>(
    _ input: [UInt8], from used: inout Int,
    _ body: (
      _ input: UnsafePointer<UInt8>?, _ inputLeft: inout Int,
      _ output: UnsafeMutablePointer<UInt8>?,
      _ outputLeft: inout Int
    ) -> Status
  ) -> (output: [UInt8], status: Status) {
    let first = used
    var inputLeft = input.count - first
    var status: Status?
    let output = [UInt8](unsafeUninitializedCapacity: PackedStream.chunkSize) { output, filled in
      var outputLeft = PackedStream.chunkSize
      status = input.withUnsafeBufferPointer { bytes in
        body(bytes.baseAddress.map { $0 + first }, &inputLeft, output.baseAddress, &outputLeft)
      }
      filled = PackedStream.chunkSize - outputLeft
    }
    used = input.count - inputLeft
    // The closure above always runs.
    return (output, status!)
  }

  private final class BZip2Decoder: StreamDecoder {
    private let state: UnsafeMutablePointer<bz_stream>

    init?() {
      state = .allocate(capacity: 1)
      state.initialize(to: bz_stream())
      guard BZ2_bzDecompressInit(state, 0, 0) == BZ_OK else {
        state.deallocate()
        return nil
      }
    }

    deinit {
      BZ2_bzDecompressEnd(state)
      state.deallocate()
    }

    func decode(
      _ input: [UInt8], from used: inout Int, isLast: Bool
    ) -> (output: [UInt8], status: StreamStatus) {
      decoded(input, from: &used) { bytes, inputLeft, output, outputLeft in
        state.pointee.next_in = bytes.map {
          UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: CChar.self)
        }
        state.pointee.avail_in = UInt32(inputLeft)
        state.pointee.next_out = output.map {
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
        }
        state.pointee.avail_out = UInt32(outputLeft)
        let status = BZ2_bzDecompress(state)
        inputLeft = Int(state.pointee.avail_in)
        outputLeft = Int(state.pointee.avail_out)
        return status == BZ_STREAM_END ? .end : status == BZ_OK ? .more : .damaged
      }
    }
  }

  private final class LZMADecoder: StreamDecoder {
    private let state: UnsafeMutablePointer<lzma_stream>

    init?(isAlone: Bool) {
      state = .allocate(capacity: 1)
      state.initialize(to: lzma_stream())
      let limit = UInt64(PackedStream.memoryLimit)
      let status =
        isAlone ? lzma_alone_decoder(state, limit) : lzma_stream_decoder(state, limit, 0)
      guard status == LZMA_OK else {
        state.deallocate()
        return nil
      }
    }

    deinit {
      lzma_end(state)
      state.deallocate()
    }

    func decode(
      _ input: [UInt8], from used: inout Int, isLast: Bool
    ) -> (output: [UInt8], status: StreamStatus) {
      decoded(input, from: &used) { bytes, inputLeft, output, outputLeft in
        state.pointee.next_in = bytes
        state.pointee.avail_in = inputLeft
        state.pointee.next_out = output
        state.pointee.avail_out = outputLeft
        let status = lzma_code(state, isLast ? LZMA_FINISH : LZMA_RUN)
        inputLeft = state.pointee.avail_in
        outputLeft = state.pointee.avail_out
        switch status {
        case LZMA_STREAM_END: return .end
        case LZMA_OK, LZMA_BUF_ERROR: return .more
        default: return .damaged
        }
      }
    }
  }

  private final class ZstdDecoder: StreamDecoder {
    private let state: OpaquePointer

    init?() {
      guard let state = ZSTD_createDStream() else { return nil }
      self.state = state
      // A window of 128 MiB.
      ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, 27)
    }

    deinit { ZSTD_freeDStream(state) }

    func decode(
      _ input: [UInt8], from used: inout Int, isLast: Bool
    ) -> (output: [UInt8], status: StreamStatus) {
      decoded(input, from: &used) { bytes, inputLeft, output, outputLeft in
        var source = ZSTD_inBuffer(src: bytes, size: inputLeft, pos: 0)
        var target = ZSTD_outBuffer(dst: output, size: outputLeft, pos: 0)
        let status = ZSTD_decompressStream(state, &target, &source)
        inputLeft -= source.pos
        outputLeft -= target.pos
        return ZSTD_isError(status) != 0 ? .damaged : status == 0 ? .end : .more
      }
    }
  }

  private final class BrotliDecoder: StreamDecoder {
    private let state: OpaquePointer

    init?() {
      guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
      self.state = state
    }

    deinit { BrotliDecoderDestroyInstance(state) }

    func decode(
      _ input: [UInt8], from used: inout Int, isLast: Bool
    ) -> (output: [UInt8], status: StreamStatus) {
      decoded(input, from: &used) { bytes, inputLeft, output, outputLeft in
        var (next, target) = (bytes, output)
        let status = BrotliDecoderDecompressStream(
          state, &inputLeft, &next, &outputLeft, &target, nil)
        switch status {
        case BROTLI_DECODER_RESULT_SUCCESS: return .end
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
          return .more
        default: return .damaged
        }
      }
    }
  }
#endif

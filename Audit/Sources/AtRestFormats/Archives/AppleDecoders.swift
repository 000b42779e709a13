#if canImport(Compression)
  import Compression

  extension PackedStream {
    static func decoder(_ format: Format) throws(FormatError) -> any StreamDecoder {
      let decoder: (any StreamDecoder)? =
        switch format {
        case .xz: AppleDecoder(COMPRESSION_LZMA)
        case .brotli: AppleDecoder(COMPRESSION_BROTLI)
        // The system has no library for them.
        case .bzip2, .lzma, .zstd: nil
        }
      guard let decoder else {
        throw FormatError("The data is packed with \(format.rawValue), which is not supported.")
      }
      return decoder
    }
  }

  /// A stream of Apple's compression library.
  private final class AppleDecoder: StreamDecoder {
    private let state: UnsafeMutablePointer<compression_stream>

    init?(_ algorithm: compression_algorithm) {
      state = .allocate(capacity: 1)
      guard
        compression_stream_init(state, COMPRESSION_STREAM_DECODE, algorithm)
          == COMPRESSION_STATUS_OK
      else {
        state.deallocate()
        return nil
      }
    }

    deinit {
      compression_stream_destroy(state)
      state.deallocate()
    }

    func decode(
      _ input: [UInt8], from used: inout Int, isLast: Bool
    ) -> (output: [UInt8], status: StreamStatus) {
      let first = used
      var status = COMPRESSION_STATUS_ERROR
      let output = [UInt8](unsafeUninitializedCapacity: PackedStream.chunkSize) { output, filled in
        input.withUnsafeBufferPointer { bytes in
          guard let source = bytes.baseAddress, let target = output.baseAddress else { return }
          state.pointee.src_ptr = source + first
          state.pointee.src_size = input.count - first
          state.pointee.dst_ptr = target
          state.pointee.dst_size = PackedStream.chunkSize
          let flags = isLast ? Int32(COMPRESSION_STREAM_FINALIZE.rawValue) : 0
          status = compression_stream_process(state, flags)
          filled = PackedStream.chunkSize - state.pointee.dst_size
          used = input.count - state.pointee.src_size
        }
      }
      switch status {
      case COMPRESSION_STATUS_OK: return (output, .more)
      case COMPRESSION_STATUS_END: return (output, .end)
      default: return (output, .damaged)
      }
    }
  }
#endif

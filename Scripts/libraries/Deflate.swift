// JOSESwift's DeflateCompressor over zlib, because Linux lacks Apple's Compression. It is part of
// test-libraries.py and of no product.
import CZlib
import Foundation

struct DeflateCompressor: CompressorProtocol {
  func compress(data: Data) throws -> Data {
    guard data.count > 0 else { throw JOSESwiftError.rawDataMustBeGreaterThanZero }
    var stream = z_stream()
    // Negative window bits stand for a raw stream.
    let began = deflateInit2_(
      &stream, 5, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    defer { deflateEnd(&stream) }
    guard began == Z_OK, let output = run(&stream, data, { deflate($0, Z_FINISH) }) else {
      throw JOSESwiftError.compressionFailed
    }
    return output
  }

  func decompress(data: Data) throws -> Data {
    guard data.count > 0 else { throw JOSESwiftError.compressedDataMustBeGreaterThanZero }
    var stream = z_stream()
    let began = inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    guard began == Z_OK, let output = run(&stream, data, { inflate($0, Z_NO_FLUSH) }) else {
      throw JOSESwiftError.decompressionFailed
    }
    return output
  }

  private func run(
    _ stream: inout z_stream, _ input: Data, _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Data? {
    var input = [UInt8](input)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var output = Data()
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while true {
        let status = buffer.withUnsafeMutableBufferPointer { buffer in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          return step(&stream)
        }
        output.append(contentsOf: buffer.prefix(buffer.count - Int(stream.avail_out)))
        if status == Z_STREAM_END { return output }
        guard status == Z_OK, stream.avail_in > 0 || stream.avail_out == 0 else { return nil }
      }
    }
  }
}

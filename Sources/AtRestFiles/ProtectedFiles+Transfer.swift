import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// Calls that process whole files, from any source to any destination, at the speed of the cipher.
extension ProtectedFiles {
  /// The number of bytes in a batch. Together with its output, a batch fits into the cache of a
  /// core.
  private static let batchSize = 1 << 18

  /// Protects bytes of any size.
  ///
  /// ```swift
  /// try files.protect(.file(report), to: .file(sealed))
  /// try files.protect(.standardInput, to: .standardOutput)
  /// ```
  ///
  /// Memory use is constant. Holes in sparse files are sealed as zeros.
  ///
  /// - Parameters:
  ///   - protection: The class, or nil for the default class of these files. Only files that a
  ///     store protects have a class.
  ///   - progress: Counts the bytes read. If it is cancelled, nothing is left behind.
  /// - Returns: The number of bytes read and written.
  /// - Throws: ``AtRestError/Code/notFound`` if the source is missing;
  ///   ``AtRestError/Code/duplicate`` if the destination exists and must not be replaced;
  ///   ``AtRestError/Code/locked`` if files of the class cannot be created now;
  ///   ``AtRestError/Code/canceled``; ``AtRestError/Code/invalidArgument``;
  ///   ``AtRestError/Code/system``, also if the source was changed while it was read. If the call
  ///   throws, the destination is unchanged, unless it is a pipe, or only its folder could not be
  ///   flushed.
  @discardableResult
  public func protect(
    _ source: ByteSource, to destination: ByteDestination, protection: FileProtection? = nil,
    progress: Progress? = nil
  ) throws -> TransferCount {
    let regular = try source.regularFile()
    let count = try write(to: destination) { output in
      try protect(source, regular, to: output, protection, ProgressMeter(progress))
    }
    // Nobody can open a file whose store was wiped meanwhile, so the caller must keep the source.
    try keys.checkKept()
    return count
  }

  func protect(
    _ source: ByteSource, to output: Target, _ protection: FileProtection?, _ meter: ProgressMeter
  ) throws -> TransferCount {
    try protect(source, source.regularFile(), to: output, protection, meter)
  }

  private func protect(
    _ source: ByteSource, _ regular: OpenFile?, to output: Target, _ protection: FileProtection?,
    _ meter: ProgressMeter
  ) throws -> TransferCount {
    let before = try regular?.status()
    let counts = try read(source, regular, before?.size) { input in
      try protect(input, to: output, protection, name: source.name, meter)
    }
    if let regular, let before, try regular.status() != before {
      throw PathError.changedMeanwhile(regular.path)
    }
    return counts
  }

  /// Writes a new header, and the sealed input after it.
  func protect(
    _ input: Transfer.Input, to output: Target, _ protection: FileProtection?, name: String,
    _ meter: ProgressMeter
  ) throws -> TransferCount {
    let (header, secrets) = try newFile(protection, name: output.path ?? name)
    let cipher = try secrets.cipher(salt: header.identity)
    let key = try secrets.key()
    let headerBytes = header.encoded(fileKey: key.bytes)
    try headerBytes.withUnsafeBytes { try output.writeHead($0) }
    let chunk = header.chunkSize
    let chunks = max(1, Self.batchSize / chunk)
    let sealedChunk = chunk + ChunkCipher.overhead
    let transfer = Transfer(
      from: input, to: output.body(after: header.count), inputSize: chunks * chunk,
      outputSize: chunks * sealedChunk, meter: meter)
    let counts = try transfer.run { batch in
      let plaintext = UnsafeRawBufferPointer(rebasing: batch.input[ChunkCipher.headroom...])
      var read = 0
      var written = 0
      var index = UInt64(batch.index * chunks)
      repeat {
        let count = min(chunk, plaintext.count - read)
        let isLast = batch.isLast && read + count == plaintext.count
        try cipher.seal(
          UnsafeRawBufferPointer(rebasing: plaintext[read..<read + count]),
          place: ChunkCipher.Place(counter: index, index: index, isLast: isLast),
          into: UnsafeMutableRawBufferPointer(
            rebasing: batch.output[written..<written + count + ChunkCipher.overhead]))
        read += count
        written += count + ChunkCipher.overhead
        index += 1
      } while read < plaintext.count
      return written
    }
    return TransferCount(read: counts.input, written: counts.output + UInt64(header.count))
  }

  /// Opens a protected file, and writes its contents as plaintext.
  ///
  /// If the file is damaged, no destination file is created. A pipe may already have received the
  /// contents before the damaged chunk.
  ///
  /// - Parameters:
  ///   - required: The only class that is accepted; see `open(_:for:requiring:)`.
  ///   - progress: Counts the bytes read. If it is cancelled, nothing is left behind.
  /// - Returns: The number of bytes read and written.
  /// - Throws: The errors of `open(_:for:requiring:)` and `protect(_:to:protection:progress:)`.
  @discardableResult
  public func unprotect(
    _ source: ByteSource, to destination: ByteDestination,
    requiring required: FileProtection? = nil, progress: Progress? = nil
  ) throws -> TransferCount {
    let meter = ProgressMeter(progress)
    return try open(source, fileKeys(requiring: required)) { write in
      try self.write(to: destination) { try write($0, meter) }
    }
  }

  /// Opens a protected file from any source, and calls `body` with a closure that writes the file's
  /// contents.
  ///
  /// Nothing is created before the file has been opened successfully.
  func open<Result>(
    _ source: ByteSource, _ keys: any FileKeys,
    _ body: ((Target, ProgressMeter) throws -> TransferCount) throws -> Result
  ) throws -> Result {
    if let regular = try source.regularFile() {
      switch source.kind {
      case .file(let path): return try open(StoredFile.open(path, keys: keys), body)
      case .entry(let entry): return try open(StoredFile.open(entry, keys: keys), body)
      case .walked(let entry): return try open(StoredFile.open(entry.open(), keys: keys), body)
      default: return try open(StoredFile(regular, keys: keys), body)
      }
    }
    if case .data(let data) = source.kind {
      let spool = try OpenFile.temporary()
      try spool.write(data, at: 0)
      return try open(StoredFile(spool, keys: keys), body)
    }
    let stream = try source.stream()
    let (header, headerBytes) = try Self.readHeader(of: stream)
    guard header.tableCount == 0 else {
      // The version table comes after the chunks but is needed to open them, so the sealed file is
      // first copied to a temporary file.
      return try open(StoredFile(Self.spool(headerBytes, stream), keys: keys), body)
    }
    let secrets = try FileSecrets(
      unwrapping: header.slots, header: headerBytes, keys: keys, name: source.name)
    let key = try secrets.key()
    guard headerBytes.withUnsafeBytes({ FileHeader.isAuthentic($0, fileKey: key.bytes) }) else {
      throw AtRestError.damaged("The header of \(source.name) was modified.")
    }
    return try body { output, meter in
      try unprotect(stream, header, secrets, to: output.body(after: 0), meter)
    }
  }

  private func open<Result>(
    _ stored: StoredFile, _ body: ((Target, ProgressMeter) throws -> TransferCount) throws -> Result
  ) throws -> Result {
    try stored.locked {
      let stored = try stored.changed() ?? stored
      return try body { try unprotect(stored, to: $0.body(after: 0), $1) }
    }
  }

  /// Checks every chunk of a file, without writing its contents anywhere.
  ///
  /// - Returns: The sizes of the stored file and of its contents in bytes.
  /// - Throws: The errors of `open(_:for:requiring:)`.
  @discardableResult
  public func verify(
    _ url: URL, requiring required: FileProtection? = nil, progress: Progress? = nil
  ) throws -> TransferCount {
    let stored = try StoredFile.open(url.path, keys: fileKeys(requiring: required))
    return try stored.locked {
      try unprotect(stored.changed() ?? stored, to: .nowhere, ProgressMeter(progress))
    }
  }

  func unprotect(
    _ stored: StoredFile, to output: Transfer.Output, _ meter: ProgressMeter
  ) throws -> TransferCount {
    let layout = stored.layout
    let end = layout.end(size: stored.size)
    let counts = try open(
      .regular(stored.file, start: layout.start, count: end - layout.start), stored.header,
      to: output, name: stored.file.path, meter
    ) { chunk, isLast in
      let (salt, place) = stored.place(of: chunk)
      return (try stored.secrets.cipher(salt: salt), place)
    }
    return TransferCount(read: stored.storedSize, written: counts.output)
  }

  private func unprotect(
    _ stream: OpenFile, _ header: FileHeader, _ secrets: FileSecrets, to output: Transfer.Output,
    _ meter: ProgressMeter
  ) throws -> TransferCount {
    let cipher = try secrets.cipher(salt: header.identity)
    let counts = try open(.stream(stream), header, to: output, name: stream.path, meter) {
      (cipher, ChunkCipher.Place(counter: $0, index: $0, isLast: $1))
    }
    return TransferCount(read: counts.input + UInt64(header.count), written: counts.output)
  }

  /// Opens chunks in order.
  private func open(
    _ input: Transfer.Input, _ header: FileHeader, to output: Transfer.Output, name: String,
    _ meter: ProgressMeter,
    cipher: @escaping @Sendable (UInt64, Bool) throws -> (ChunkCipher, ChunkCipher.Place)
  ) throws -> (input: UInt64, output: UInt64) {
    let layout = ChunkLayout(header)
    let sealedChunk = header.chunkSize + ChunkCipher.overhead
    let chunks = max(1, Self.batchSize / sealedChunk)
    let transfer = Transfer(
      from: input, to: output, inputSize: chunks * sealedChunk,
      outputSize: chunks * header.chunkSize, meter: meter)
    return try transfer.run { batch in
      var begin = 0
      var written = 0
      var index = UInt64(batch.index * chunks)
      let total = batch.input.count - ChunkCipher.headroom
      repeat {
        let count = min(sealedChunk, total - begin)
        let isLast = batch.isLast && begin + count == total
        // The headroom of a chunk overwrites the tag of the previous chunk, which is already
        // opened.
        let sealed = UnsafeMutableRawBufferPointer(
          rebasing: batch.input[begin..<begin + ChunkCipher.headroom + count])
        let (cipher, place) = try cipher(index, isLast)
        let plain = count - ChunkCipher.overhead
        // An empty chunk occurs only in an empty file.
        guard plain > 0 || (plain == 0 && index == 0),
          cipher.open(
            sealed, place: place,
            into: UnsafeMutableRawBufferPointer(rebasing: batch.output[written..<written + plain]))
        else { throw StoredFile.damaged(index, at: layout.position(of: index), name: name) }
        begin += count
        written += plain
        index += 1
      } while begin < total
      return written
    }
  }

  // MARK: Ends

  /// The destination of a new file's bytes, header first.
  struct Target {
    enum Kind {
      case regular(OpenFile)
      case stream(OpenFile)
      case memory(UnsafeMutableRawBufferPointer)
    }
    let kind: Kind

    /// The path of the file or stream, or nil for memory.
    var path: String? {
      switch kind {
      case .regular(let file), .stream(let file): file.path
      case .memory: nil
      }
    }

    func writeHead(_ bytes: UnsafeRawBufferPointer) throws {
      switch kind {
      case .regular(let file): try file.write(bytes, at: 0)
      case .stream(let file): try file.writeNext(bytes)
      case .memory(let memory): memory.copyPlaintext(from: bytes)
      }
    }

    func body(after count: Int) -> Transfer.Output {
      switch kind {
      case .regular(let file): .regular(file, start: UInt64(count))
      case .stream(let file): .stream(file)
      case .memory(let memory): .memory(.init(bytes: .init(rebasing: memory[count...])))
      }
    }
  }

  private func read<Result>(
    _ source: ByteSource, _ regular: OpenFile?, _ size: UInt64?,
    _ body: (Transfer.Input) throws -> Result
  ) throws -> Result {
    if let regular { return try body(.regular(regular, start: 0, count: size ?? 0)) }
    guard case .data(let data) = source.kind else { return try body(.stream(source.stream())) }
    return try data.withUnsafeBytes { bytes in
      // The bytes are only read, although `Region` has mutable memory: it also serves as a
      // destination.
      try body(.memory(.init(bytes: UnsafeMutableRawBufferPointer(mutating: bytes))))
    }
  }

  func write(
    to destination: ByteDestination, _ body: (Target) throws -> TransferCount
  ) throws -> TransferCount {
    let (file, count) = try destination.begin(body)
    try keys.checkStore()
    try file?.commit()
    return count
  }

  // MARK: Protected files from pipes

  private static func readHeader(of stream: OpenFile) throws -> (FileHeader, Data) {
    var bytes = Data(count: FileHeader.fixedCount)
    func read(from begin: Int) throws {
      let count = try bytes.withUnsafeMutableBytes {
        try stream.readNext(UnsafeMutableRawBufferPointer(rebasing: $0[begin...]))
      }
      bytes.removeLast(bytes.count - begin - count)
    }
    try read(from: 0)
    let count = try bytes.withUnsafeBytes { try FileHeader.count(in: $0, name: stream.path) }
    let begin = bytes.count
    bytes.append(Data(count: max(0, count - begin)))
    try read(from: begin)
    return (
      try bytes.withUnsafeBytes { try FileHeader(decoding: $0, name: stream.path) }, bytes
    )
  }

  private static func spool(_ head: Data, _ stream: OpenFile) throws -> OpenFile {
    let spool = try OpenFile.temporary()
    try spool.write(head, at: 0)
    var end = UInt64(head.count)
    var buffer = Data(count: batchSize)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try stream.readNext($0) }
      try spool.write(buffer.prefix(count), at: end)
      end += UInt64(count)
      if count < buffer.count { return spool }
    }
  }
}

/// The number of bytes that a transfer read and wrote.
public struct TransferCount: Sendable, Equatable {
  public let read: UInt64
  public let written: UInt64

  package init(read: UInt64, written: UInt64) {
    self.read = read
    self.written = written
  }
}

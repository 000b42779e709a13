import AtRestCrypto
import CAtRestDatabase
import Crypto
import Foundation
import Synchronization

/// Keeps the state of an open database: what the VFS asks for at checkpoints and recoveries.
///
/// Threads may share a keeper. Of the connections to a database, one at a time is at a checkpoint.
final class StateKeeper: Sendable {
  let file: StateFile
  let hasher: PageHasher
  private let cipher: AtRestPageCipher
  private let logKey: HMAC<SHA256>
  private let checkpoint = Mutex<Checkpoint?>(nil)
  private let problem = Mutex<AtRestError?>(nil)
  private let counter: StateCounter?

  init(_ url: URL, cipher: AtRestPageCipher, counter: StateCounter? = nil) {
    file = StateFile(of: url, cipher: cipher)
    hasher = PageHasher(cipher)
    self.cipher = cipher
    self.counter = counter
    logKey = HMAC(key: cipher.derive(.databaseLog).symmetricKey())
  }

  /// Why the state or the log was refused last, or nil.
  var refusal: AtRestError? { problem.withLock { $0 } }

  /// Raises the counter outside of the file, if there is one, to the present state.
  func raiseCounter() {
    guard let counter, let state = try? file.read().state else { return }
    counter.raise(to: state.sequence)
  }

  /// The code of a log's header or frame: the first 16 bytes of its HMAC.
  fileprivate func code(of bytes: UnsafeRawBufferPointer, into code: UnsafeMutableRawPointer) {
    var hmac = logKey
    hmac.update(data: bytes)
    hmac.finalize().withUnsafeBytes { code.copyMemory(from: $0.baseAddress!, byteCount: 16) }
  }

  fileprivate func load() throws -> DatabaseState {
    let state = try file.read().state
    cipher.use(epoch: state.epoch)
    return state
  }

  fileprivate func begin(_ frames: LogFrames) throws {
    let present = try file.read()
    let state = present.state
    let begun = try Checkpoint(
      of: frames, state: state, hasher: hasher, pageSize: cipher.format.pageSize)
    if begun.base != state { try file.write(begun.base, after: present.block) }
    checkpoint.withLock { $0 = begun }
  }

  fileprivate func allowWrite(_ page: UInt32, reserve: UnsafeRawBufferPointer) throws {
    let isAllowed = checkpoint.withLock { $0?.allowsWrite(of: page, reserve: reserve) ?? false }
    guard isAllowed else {
      throw AtRestError.damaged("Page \(page) of the log of \(file.url.path) was exchanged.")
    }
  }

  fileprivate func missing() -> (page: UInt32, frame: Int)? {
    checkpoint.withLock { $0?.missing() }
  }

  fileprivate func end() throws {
    let present = try file.read()
    guard let state = checkpoint.withLock({ $0?.final(after: present.state.sequence) }) else {
      throw AtRestError.damaged("The checkpoint of \(file.url.path) was not begun.")
    }
    try file.write(state, after: present.block)
    cipher.use(epoch: state.epoch)
    checkpoint.withLock { $0 = nil }
    counter?.raiseSometimes(to: state.sequence)
  }

  fileprivate func refuse(_ error: AtRestError) { problem.withLock { $0 = error } }

  fileprivate func refuse(log reason: Int32) {
    let log = LogFile(of: file.database, pageSize: cipher.format.pageSize).url.path
    switch reason {
    case Int32(ATREST_LOG_IS_OLDER):
      refuse(
        AtRestError(
          .rolledBack, "The log \(log) is of another state of the database.",
          remedy: "Restore the database with its log and its state from one backup, or accept the "
            + "database without the log with `atrest database verify --accept-older`."))
    case Int32(ATREST_LOG_IS_FOREIGN):
      refuse(
        .damaged(
          "The log \(log) is not in AtRest's format.",
          remedy: "Remove the log if it belongs to another database."))
    case Int32(ATREST_LOG_IS_MISSING):
      refuse(
        .damaged(
          "The log \(log) is missing or damaged, and a checkpoint that a crash interrupted needs it.",
          remedy: "Restore the log, or the database with its log and its state from a backup."))
    default:
      refuse(.damaged("The log \(log) was changed while the database was open."))
    }
  }
}

extension StateKeeper {
  /// The functions that the VFS calls.
  nonisolated(unsafe) static let functions: UnsafePointer<atrest_state_keeper> = {
    let functions = UnsafeMutablePointer<atrest_state_keeper>.allocate(capacity: 1)
    functions.initialize(
      to: atrest_state_keeper(
        code: { context, bytes, count, code in
          keeper(context).code(
            of: UnsafeRawBufferPointer(start: bytes, count: Int(count)), into: code)
        },
        load: { context, out in
          call(context) { keeper in
            let state = try keeper.load()
            out.pointee.sequence = state.sequence
            out.pointee.is_checkpointing = state.isCheckpointing ? 1 : 0
            out.pointee.frame_count = state.frameCount
            withUnsafeMutableBytes(of: &out.pointee.salts) { $0.copyBytes(from: state.salts) }
            withUnsafeMutableBytes(of: &out.pointee.code) { $0.copyBytes(from: state.code) }
          }
        },
        begin: { context, checkpoint in
          call(context) { try $0.begin(LogFrames(checkpoint.pointee)) }
        },
        write: { context, page, reserve in
          call(context) {
            try $0.allowWrite(
              page, reserve: UnsafeRawBufferPointer(start: reserve, count: PageHasher.reserveSize))
          }
        },
        missing: { context, page, frame in
          guard let missing = keeper(context).missing() else { return 0 }
          page.pointee = missing.page
          frame.pointee = Int64(missing.frame)
          return 1
        },
        end: { context in call(context) { try $0.end() } },
        refuse: { context, reason in keeper(context).refuse(log: reason) }))
    return UnsafePointer(functions)
  }()

  private static func keeper(_ context: UnsafeMutableRawPointer) -> StateKeeper {
    // The functions are registered only with a keeper.
    Unmanaged<KeyRegistration.Context>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.keeper! }
  }

  private static func call(
    _ context: UnsafeMutableRawPointer, _ body: (StateKeeper) throws -> Void
  ) -> Int32 {
    let keeper = keeper(context)
    do {
      try body(keeper)
      return 0
    } catch {
      if let error = error as? AtRestError { keeper.refuse(error) }
      return 1
    }
  }
}

@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Writing a secret to a descriptor of an application, in the order of locks.
struct SecretReceiverTests {
  /// A pipe with room for one page.
  private struct Pipe {
    let read: Int32
    let write: OpenDescriptor
    /// `F_SETPIPE_SZ`, which Swift does not know.
    private static let setSize: Int32 = 1031

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (read, write) = (ends[0], OpenDescriptor(ends[1]))
      try #require(fcntl(write.number, Self.setSize, 4096) == 4096)
    }

    /// The bytes that nobody has read.
    var count: Int32 {
      var count: Int32 = 0
      return ioctl(read, UInt(FIONREAD), &count) == 0 ? count : -1
    }
  }

  private static func secret() -> AgentSecret { AgentSecret(SecretBytes.random(count: 64)) }

  private static func take(_ pipe: Pipe, since number: UInt64, _ locks: LockCount) throws
    -> SecretReceiver.Outcome
  {
    let receiver = try #require(SecretReceiver(pipe.write))
    return receiver.take(
      secret(), of: "org.example.App\(UUID())", since: number, locks)
  }

  /// As soon as a lock has returned, a pipe has the secret, or never gets it.
  @Test func aLockThatHasReturnedIsAnEnd() throws {
    let locks = LockCount()
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let pipe = try Pipe()
      defer { close(pipe.read) }
      let number = locks.number
      let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        begun.signal()
        _ = try? Self.take(pipe, since: number, locks)
        ended.signal()
      }
      begun.wait()
      let start = ContinuousClock.now
      let delay = Duration.microseconds(Int64.random(in: 0..<300, using: &generator))
      while ContinuousClock.now - start < delay {}
      locks.begin()
      locks.end()
      let count = pipe.count
      ended.wait()
      try #require(pipe.count == count)
    }
  }

  @Test func nothingIsWrittenAfterALock() throws {
    let (locks, pipe) = (LockCount(), try Pipe())
    defer { close(pipe.read) }
    let number = locks.number
    locks.begin()
    #expect(try Self.take(pipe, since: number, locks) == .tooLate)
    locks.end()
    #expect(pipe.count == 0)
    #expect(try Self.take(pipe, since: locks.number, locks) == .given)
    #expect(pipe.count == 64)
  }

  /// It would end a program that ignores no signal of pipes.
  @Test func aPipeWithoutAReaderIsRefused() throws {
    let pipe = try Pipe()
    close(pipe.read)
    let former = signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, former) }
    let locks = LockCount()
    #expect(try Self.take(pipe, since: locks.number, locks) == .refused)
  }

  /// A pipe would get a part.
  @Test func aSecretThatIsTooLargeIsRefused() throws {
    let (locks, pipe) = (LockCount(), try Pipe())
    defer { close(pipe.read) }
    let receiver = try #require(SecretReceiver(pipe.write))
    let large = AgentSecret(SecretBytes.random(count: 4097))
    #expect(receiver.take(large, of: "org.example.Large", since: locks.number, locks) == .refused)
    #expect(pipe.count == 0)
  }

  /// `O_PATH`, which Swift does not know.
  private static let place: Int32 = 0o10_000_000

  @Test func otherDescriptorsReceiveNothing() throws {
    let pipe = try Pipe()
    #expect(SecretReceiver(pipe.write) != nil)
    let others = [
      pipe.read, socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), open("/dev/null", O_WRONLY),
      open("/proc/self/fd/\(pipe.write.number)", Self.place), open("/dev/shm", O_RDONLY),
    ]
    for number in others {
      try #require(number >= 0)
      #expect(SecretReceiver(OpenDescriptor(number)) == nil)
    }
  }
}

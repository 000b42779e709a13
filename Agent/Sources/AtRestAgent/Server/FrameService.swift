import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore

/// A protocol of requests and answers.
protocol FrameService: Sendable {
  /// Makes the state of a new connection.
  func makeSession(_ identity: PeerIdentity) -> any FrameSession
  /// The answer to a client that has used up its share.
  func refusal(_ error: AtRestError) -> AgentSecret
}

/// The state of a connection. It answers one request at a time.
protocol FrameSession: AnyObject, Sendable {
  /// Returns what the answer takes.
  func work(for request: UnsafeRawBufferPointer) -> FrameWork
  /// Answers a request.
  func answer(_ request: UnsafeRawBufferPointer) -> FrameAnswer
  /// Answers a request that has no valid frame. The connection ends afterwards.
  func refusal(_ error: any Error) -> AgentSecret?
  /// Returns the answer in place of one that came too late, because the store was locked meanwhile.
  func withheld() -> AgentSecret
  /// Returns the answer to a request for whose answer there is no room.
  func overload(_ error: AtRestError) -> AgentSecret
  /// Returns the size of the message with which bytes begin, or nil while that is not known.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if they begin with no message, or with one that is too large.
  func size(of bytes: UnsafeRawBufferPointer) throws -> FrameSize?
  /// True if the length is written before an answer.
  var writesLength: Bool { get }
  /// True if a connection may be without a request for as long as it likes: its client may end with it.
  var mayBeIdle: Bool { get }
  /// The messages that are sent without a request, or nil if the protocol has none.
  var outbox: Outbox? { get }
  /// Connects the client with other programs, if it may reach them, before a request of the kind ``FrameWork/join``.
  func join(on loop: any EventLoop) -> EventLoopFuture<Void>
  /// The way to other programs, which belongs to the loop of the connection, or nil if the client has none.
  var relay: (any FrameRelay)? { get }
  /// Takes the descriptors that came with the client's next bytes.
  func receive(_ numbers: [Int32], isCut: Bool)
  /// Called when the connection has ended, also while an answer is being made, on the loop of the connection.
  func connectionEnded()
}

/// A way from a client to other programs. It belongs to the loop of the connection.
protocol FrameRelay: AnyObject {
  /// True if the next message of the client can be taken.
  var hasRoom: Bool { get }
  /// Sets what is called when the next message can be taken again.
  func whenRoom(_ body: @escaping () -> Void)
  /// Called when the client was sent messages.
  func goOn()
  /// Called with a message to the client that the system did not take.
  func wasDropped(_ message: PassedMessage)
}

/// The size of a message.
struct FrameSize: Equatable {
  /// The bytes before the message that are not part of it.
  let prefix: Int
  let length: Int
}

extension FrameSession {
  var writesLength: Bool { true }
  var mayBeIdle: Bool { false }
  var outbox: Outbox? { nil }
  func join(on loop: any EventLoop) -> EventLoopFuture<Void> { loop.makeSucceededVoidFuture() }
  var relay: (any FrameRelay)? { nil }
  func receive(_ numbers: [Int32], isCut: Bool) { for number in numbers { close(number) } }
  func connectionEnded() {}
}

extension AtRestError {
  /// The refusal of a client that has used up its share.
  static let shareIsUsedUp = AtRestError(
    .busy, "This program uses all that the agent holds ready for one.",
    remedy: "End connections or read their answers, and try again.")
  /// The refusal of a client that did not read what was sent before the answer.
  static let readTooLate = AtRestError(
    .busy, "The answer was not read in time.", remedy: "Read what was sent before, and try again.")
  /// The refusal of a program that could not be looked at.
  static let tryAgain = AtRestError(
    .busy, "The agent could not find out which program asks.", remedy: "Try again.")
  /// The refusal of a request that was not finished when the store was locked.
  static let lockedMeanwhile = AtRestError(
    .locked, "The store was locked before the request was finished.",
    remedy: "Unlock it with atrest unlock, and try again.")
}

import NIOCore

/// The threads and shares with which the calls of a bus are carried out. They are those of the agent's sockets.
struct BusWorkshop: Sendable {
  let secrets: SecretService
  let workers: Workers
  let shares: Shares
  let loop: any EventLoop
  let judge: ConnectionHandler.Judge

  /// Carries out a call, after its process was judged if the answer depends on it.
  ///
  /// - Parameters:
  ///   - answer: Answers the call.
  ///   - finish: Gets the answer, or nil if too much waits.
  func carryOut(
    _ work: FrameWork, for caller: BusCaller.Known,
    _ answer: @escaping @Sendable () -> FrameAnswer,
    then finish: @escaping @Sendable (FrameAnswer?) -> Void
  ) {
    guard work != .none else { return finish(answer()) }
    if work == .large, workers.answers.used > ConnectionHandler.mostBeforeLarge {
      return finish(nil)
    }
    guard work.needsEvidence, !caller.identity.isKnown else {
      return workers.run(work, for: caller.holder, on: loop, answer).whenComplete {
        finish(try? $0.get())
      }
    }
    identify(caller, mayWait: false) { isKnown in
      guard isKnown else { return finish(nil) }
      workers.run(work, for: caller.holder, on: loop, answer).whenComplete {
        finish(try? $0.get())
      }
    }
  }

  /// Judges a process. Only the file systems of some programs have to be asked, on threads of their own.
  private func identify(
    _ caller: BusCaller.Known, mayWait: Bool, then finish: @escaping @Sendable (Bool) -> Void
  ) {
    workers.identify(for: caller.holder, mayWait: mayWait, on: loop) {
      caller.identity.judge { judge($0, mayWait) }
    }.whenComplete { result in
      if mayWait || caller.identity.isKnown { return finish(caller.identity.isKnown) }
      guard case .success = result else { return finish(false) }
      identify(caller, mayWait: true, then: finish)
    }
  }
}

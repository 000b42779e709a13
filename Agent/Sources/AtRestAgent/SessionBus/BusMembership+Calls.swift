@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// The calls of programs, and their answers.
extension BusMembership {
  func take(_ queued: BusCaller.Queued, from caller: BusCaller) {
    if let known = caller.known, let work = queued.workWithoutOrder(by: secrets) {
      return carryOut(queued, work, from: caller, known) {}
    }
    guard caller.add(queued) else { return refuse(queued.address, AtRestError.shareIsUsedUp) }
    advance(caller)
  }

  /// Carries out the next call of a caller.
  func advance(_ caller: BusCaller) {
    guard let (queued, known) = caller.next() else { return }
    workshop.shares.touch(known.share)
    carryOut(queued, queued.work(by: secrets), from: caller, known) { [self] in
      caller.finish()
      advance(caller)
    }
  }

  private func carryOut(
    _ queued: BusCaller.Queued, _ work: FrameWork, from caller: BusCaller,
    _ known: BusCaller.Known, then finish: @escaping @Sendable () -> Void
  ) {
    workshop.carryOut(work, for: known) { [self] in
      answer(queued, from: caller, known)
    } then: { [self] answer in
      if let answer {
        send(answer, to: queued.address, for: known.holder)
      } else {
        refuse(queued.address, AtRestError.shareIsUsedUp)
      }
      finish()
    }
  }

  private func answer(
    _ queued: BusCaller.Queued, from caller: BusCaller, _ known: BusCaller.Known
  ) -> FrameAnswer {
    let locks = secrets.service.locks
    do {
      let waiting = try queued.decoded()
      var call = waiting.call
      // The bus has resolved the name already.
      call.destination = BusHub.service
      let answer =
        call.path == SecretPortal.path
        ? try SecretPortal(secrets: secrets).answer(waiting, from: caller.client, known)
        : try secrets.answer(call, from: caller.client, known.identity)
      return FrameAnswer(
        bytes: AgentSecret(sent(call.reply(answer.body)).encoded()),
        locks: answer.isProtected ? locks : nil, whenSent: answer.whenSent)
    } catch {
      return FrameAnswer(bytes: AgentSecret(refusal(of: queued.address, error).encoded()))
    }
  }

  private func refusal(of call: BusMessage, _ error: any Error) -> BusMessage {
    let failure = BusFailure(error)
    return sent(call.failure(failure.name, failure.text))
  }

  func refuse(_ call: BusMessage, _ error: any Error) {
    guard call.wantsReply else { return }
    output.add(BusOutput.Message(bytes: AgentSecret(refusal(of: call, error).encoded())))
  }

  private func send(_ answer: FrameAnswer, to call: BusMessage, for holder: Holder) {
    guard call.wantsReply else {
      answer.whenSent?()
      return
    }
    let count = answer.bytes.bytes.count
    let held = workshop.workers.answers.hold(count, for: holder)
    guard held != nil || count <= ConnectionHandler.freeAnswer else {
      return refuse(call, AtRestError.shareIsUsedUp)
    }
    var message = BusOutput.Message(bytes: answer.bytes, held: held, whenSent: answer.whenSent)
    if let locks = answer.locks {
      message.protection = (
        locks,
        { [self] in
          AgentSecret(refusal(of: call, secrets.service.refusalAfterLock).encoded())
        }
      )
    }
    output.add(message)
  }
}

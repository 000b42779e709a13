import AuditFuzzTargets
import FuzzDriver

FuzzDriver.main(AuditFuzzTarget.self) { try $0.run($1) }

import ContainerFuzzTargets
import FuzzDriver

FuzzDriver.main(ContainerFuzzTarget.self) { try $0.run($1) }

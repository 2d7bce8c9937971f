import { controllerManagedBy, Manager, setupSignalHandler } from 'steersman'
import { Deployment } from 'steersman/api/types/apps/v1'
import { Widget } from './widget.js'
import { WidgetReconciler } from './widget-reconciler.js'

const manager = new Manager()
controllerManagedBy(manager).for(Widget).owns(Deployment).complete(new WidgetReconciler())
await manager.start(setupSignalHandler())
